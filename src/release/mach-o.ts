/** Signatures of macOS executables (64-bit Mach-O files), which must be valid for the program to start. */

const HEADER = 32;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;

interface LoadCommand {
  offset: number;
  size: number;
  type: number;
}

function loadCommands(view: DataView): LoadCommand[] {
  const commands: LoadCommand[] = [];
  let offset = HEADER;
  for (let left = view.getUint32(16, true); left > 0; left -= 1) {
    const size = view.getUint32(offset + 4, true);
    commands.push({ offset, size, type: view.getUint32(offset, true) });
    offset += size;
  }
  return commands;
}

/**
 * Removes the signature of an executable, like `codesign --remove-signature`. An x64 program compiled by Bun has the
 * signature of Bun itself, which is invalid for the program, and macOS kills programs with an invalid signature.
 * On x64 programs need no signature; on arm64, where they do, Bun creates a new one.
 *
 * @throws Error if the signature is not at the end of the file, where Bun puts it.
 */
export function withoutSignature(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const commands = loadCommands(view);
  const last = commands.at(-1);
  if (last?.type !== LC_CODE_SIGNATURE) throw new Error("The last load command is no signature");
  const begin = view.getUint32(last.offset + 8, true);
  const length = view.getUint32(last.offset + 12, true);
  const linkEdit = commands.findLast(({ type }) => type === LC_SEGMENT_64);
  if (begin + length !== file.length || linkEdit === undefined)
    throw new Error("The signature is not the end of the file");

  const result = file.slice(0, begin);
  const changed = new DataView(result.buffer);
  changed.setUint32(16, commands.length - 1, true);
  changed.setUint32(20, view.getUint32(20, true) - last.size, true);
  result.fill(0, last.offset, last.offset + last.size);
  // The last segment contained the signature; it now ends where the signature began.
  const sizeAt = linkEdit.offset + 48;
  changed.setBigUint64(sizeAt, view.getBigUint64(sizeAt, true) - BigInt(length), true);
  return result;
}
