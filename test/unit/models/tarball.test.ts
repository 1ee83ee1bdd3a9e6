import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readMember, readMembers } from '../../../models/setup/tarball.mjs';
import { makeGnuTarball, makeTarball, member, paxRecord } from './tarball-maker.ts';
import { temporaryFolder } from './temporary-folder.ts';

const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 251));

async function read(tarball: Buffer, wanted: Parameters<typeof readMember>[1]): Promise<Buffer> {
  await using folder = await temporaryFolder();
  const file = path.join(folder.path, 'x.tgz');
  await writeFile(file, tarball);
  const chunks: Buffer[] = [];
  for await (const chunk of readMember(file, wanted)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('readMember', () => {
  it('finds a member behind others', async () => {
    const tarball = makeTarball({
      'package/empty': Buffer.alloc(0),
      'package/first': bytes.subarray(0, 511),
      'package/second': bytes,
    });
    expect((await read(tarball, { member: 'package/second' })).equals(bytes)).toBe(true);
    expect((await read(tarball, { member: 'package/empty' })).equals(Buffer.alloc(0))).toBe(true);
  });

  it('cuts a range out of a member', async () => {
    const tarball = makeTarball({ a: bytes, b: bytes });
    const range = await read(tarball, {
      member: 'b',
      offset: 700,
      length: 1100,
    });
    expect(range.equals(bytes.subarray(700, 1800))).toBe(true);
    expect((await read(tarball, { member: 'b', offset: 2999 })).equals(bytes.subarray(2999))).toBe(
      true,
    );
  });

  it('refuses a range that the member does not have', async () => {
    const reading = read(makeTarball({ a: bytes }), {
      member: 'a',
      offset: 2000,
      length: 1001,
    });
    await expect(reading).rejects.toThrow('a has only 3000 bytes');
  });

  it.each([
    ['pax', makeTarball],
    [
      'GNU',
      (members: Record<string, Buffer>) => makeGnuTarball(Object.keys(members)[0] ?? '', bytes),
    ],
  ])('reads names longer than 100 bytes in %s form', async (_, make) => {
    const name = `package/${'long/'.repeat(30)}ñame.onnx`;
    expect((await read(make({ [name]: bytes }), { member: name })).equals(bytes)).toBe(true);
  });

  it('joins the ustar prefix to the name', async () => {
    const [header = Buffer.alloc(0), ...rest] = member('model.onnx', bytes);
    header.write('package/deep', 345);
    const sum = header.fill(' ', 148, 156).reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    const tarball = gzipSync(Buffer.concat([header, ...rest, Buffer.alloc(1024)]));
    expect((await read(tarball, { member: 'package/deep/model.onnx' })).equals(bytes)).toBe(true);
  });

  it('takes a size from pax and steps over links and global headers', async () => {
    const blocks = [
      ...member('g', paxRecord('comment', 'x'), 'g'),
      ...member('package/link', Buffer.alloc(0), '2'),
      ...member('x', paxRecord('size', '3000'), 'x'),
      ...member('package/a', bytes),
    ];
    const tarball = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
    expect((await read(tarball, { member: 'package/a' })).equals(bytes)).toBe(true);
    await expect(read(tarball, { member: 'package/link' })).rejects.toThrow('has no package/link');
  });

  it('says so when the member is absent, the archive damaged or cut', async () => {
    const tarball = makeTarball({ a: bytes });
    await expect(read(tarball, { member: 'b' })).rejects.toThrow('the tarball has no b');
    const unzipped = Buffer.concat([...member('a', bytes)]);
    unzipped[3] = 0x41;
    await expect(read(gzipSync(unzipped), { member: 'a' })).rejects.toThrow('damaged');
    const cut = gzipSync(Buffer.concat(member('a', bytes)).subarray(0, 1000));
    await expect(read(cut, { member: 'a' })).rejects.toThrow('ends too early');
    await expect(read(tarball.subarray(0, 100), { member: 'a' })).rejects.toThrow();
  });
});

describe('readMembers', () => {
  const tarball = makeTarball({
    a: bytes.subarray(0, 700),
    skipped: bytes,
    b: bytes.subarray(700, 2000),
    c: bytes.subarray(2000),
  });

  async function readAll(members: readonly string[]): Promise<Buffer> {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'x.tgz');
    await writeFile(file, tarball);
    const chunks: Buffer[] = [];
    for await (const chunk of readMembers(file, members)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  it('joins members, whatever lies between them', async () => {
    expect((await readAll(['a', 'b', 'c'])).equals(bytes)).toBe(true);
  });

  it('names the member that is missing or comes too early', async () => {
    await expect(readAll(['a', 'd'])).rejects.toThrow('no d in its place');
    await expect(readAll(['b', 'a'])).rejects.toThrow('no a in its place');
  });
});
