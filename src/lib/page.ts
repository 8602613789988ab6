/** The rows of one page: how many rows to skip, and the greatest number to read. */
export interface PageSlice {
  offset: number;
  pageSize: number;
}

/** Offsets up to this are left to SQL's OFFSET: SQLite skips 1,000 rows in less time than the rest of the page takes. */
export const WALKED_ROWS = 1_000;
