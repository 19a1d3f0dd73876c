/** A file that is written while it comes: File System Access API. */
export interface FilePlace {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}

type Picker = (options: { suggestedName: string }) => Promise<FilePlace>;

/**
 * Where the visitor wants a file, for it to be written piece by piece; 'none' where that was called off. Undefined where
 * the browser cannot do that: it then needs the whole file in memory.
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

/** Hands a whole file to the browser. */
export function offer(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser takes it in a task of its own.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
