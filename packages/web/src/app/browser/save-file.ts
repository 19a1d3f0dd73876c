/** A file handle of the File System Access API, to which a download is written while it arrives. */
export interface FilePlace {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}

type Picker = (options: { suggestedName: string }) => Promise<FilePlace>;

/**
 * Asks the visitor where to save a file. Returns 'none' if the visitor cancels. Returns undefined if the browser does
 * not support this; the file must then fit into memory.
 */
export async function placeFor(name: string): Promise<FilePlace | 'none' | undefined> {
  const { showSaveFilePicker } = window as { showSaveFilePicker?: Picker };
  if (!showSaveFilePicker) return undefined;
  try {
    return await showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    return (error as Error).name === 'AbortError' ? 'none' : undefined;
  }
}

/** Offers a complete file as a download. */
export function offer(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The URL is revoked later, because the browser reads the blob asynchronously.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
