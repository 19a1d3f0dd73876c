/** The names of a page's script and style. */
export interface Loaded {
  script: string;
  style: string;
}
