/** The file names of a page's script and stylesheet. */
export interface PageAssets {
  script: string;
  style: string;
}
