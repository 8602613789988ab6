declare module "*.woff2" {
  /** The path of the file. */
  const path: string;
  export default path;
}
