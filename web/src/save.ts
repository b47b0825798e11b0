// Gives the reader a text as a file.

export function save(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes the file up a moment after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
