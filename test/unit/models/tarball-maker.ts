import { gzipSync } from 'node:zlib';

/** Packs members into a `.tgz` as npm does: ustar, with pax records for names that do not fit. */
export function makeTarball(members: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(members).flatMap(([name, content]) => {
    if (Buffer.byteLength(name) <= 100) return member(name, content);
    return [...member('PaxHeader', paxRecord('path', name), 'x'), ...member('long', content)];
  });
  return pack(blocks);
}

/** The same with GNU's own way of writing one long name. */
export function makeGnuTarball(name: string, content: Buffer): Buffer {
  return pack([...member('././@LongLink', Buffer.from(`${name}\0`), 'L'), ...member('x', content)]);
}

function pack(blocks: readonly Buffer[]): Buffer {
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** One header and body; `type` as in the ustar type flag. */
export function member(name: string, content: Buffer, type = '0'): Buffer[] {
  const header = Buffer.alloc(512);
  header.write(name, 0, 'utf8');
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return [header, content, padding];
}

/** A record counts its own length in bytes, digits included. */
export function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (length !== rest + String(length).length) length++;
  return Buffer.from(`${length} ${key}=${value}\n`);
}
