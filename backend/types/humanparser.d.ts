/** What we use of humanparser, which brings no types. */
declare module 'humanparser' {
  interface ParsedName {
    firstName?: string;
    lastName?: string;
  }
  const parser: { parseName(name: string): ParsedName };
  export default parser;
}
