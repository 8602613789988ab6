/** Files of the package, imported as the paths under which the program (or the binary) finds them. */
declare module "swagger-ui-dist/*" {
  const path: string;
  export default path;
}
