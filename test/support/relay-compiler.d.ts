declare module 'relay-compiler' {
  /** The path of the compiler for this system. */
  const path: string;
  export default path;
}
