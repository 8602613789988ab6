/** Whether a client accepts gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | null): boolean {
  const codings = (header ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  return codings.some((coding) => /^gzip(\s*;\s*q=(0\.\d*[1-9]\d*|1(\.0*)?))?$/.test(coding));
}
