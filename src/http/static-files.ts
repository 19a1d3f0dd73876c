export interface StaticFile {
  contentType: string;
  body: string | Buffer;
  headers: Record<string, string>;
}

/** Files that the service serves as they are, by path. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;
