import { describe, expect, it, vi } from 'vitest';
import { ChunkReader } from '../../../../src/synthesis/speech/chunk-reader.ts';
import { policyForLevel } from '../../../../src/synthesis/text/chunk-policy.ts';
import { MarkedChunker } from '../../../../src/synthesis/text/markup/marked-chunker.ts';

const open = () => {
  const chunker = new MarkedChunker(policyForLevel(0), 'en');
  return { chunker, reader: new ChunkReader(chunker) };
};

describe('a reader of chunks', () => {
  it('reads what it is told in order: text, triggers and flushes', async () => {
    const { reader } = open();
    reader.write('One. Two');
    reader.flush();
    reader.write(`Three ${'and more '.repeat(6)}`);
    reader.trigger();
    reader.write('four');
    reader.flush();
    reader.end();
    const read: string[] = [];
    for await (const output of reader) {
      read.push(output.type === 'chunk' ? output.text : output.type);
    }
    expect(read.slice(0, 3)).toEqual(['One.', ' Two', 'flush']);
    expect(read.at(-1)).toBe('flush');
    expect(read.slice(3, -1).join('')).toBe(`Three ${'and more '.repeat(6)}four`);
    expect(read.length).toBeGreaterThan(5);
    expect(reader.isDry).toBe(true);
  });

  it('reads no more of a long text than it is asked for', async () => {
    const { reader, chunker } = open();
    const readAll = chunker.push.bind(chunker);
    let slices = 0;
    vi.spyOn(chunker, 'push').mockImplementation(function* (fragment) {
      for (const chunks of readAll(fragment)) {
        slices++;
        yield chunks;
      }
    });
    reader.write('A sentence of some length. '.repeat(2000));
    const first = await reader[Symbol.asyncIterator]().next();
    expect(first.value).toMatchObject({ text: 'A sentence of some length.' });
    expect(slices).toBe(1);
    expect(reader.isDry).toBe(false);
  });

  it.each(['1,', '0.', '@', ' ', '.', '<', '<a', '<b>', '<break time="', '&'])(
    'lets others work while it reads 64 KiB of %j',
    async (unit) => {
      const { reader } = open();
      reader.write(unit.repeat(65_536 / unit.length));
      reader.end();
      let turns = 0;
      let isDone = false;
      const count = () => {
        turns++;
        if (!isDone) setImmediate(count);
      };
      setImmediate(count);
      for await (const output of reader) void output;
      isDone = true;
      // Read in one go, it leaves others one turn; how many it leaves otherwise depends on the machine.
      expect(turns).toBeGreaterThan(1);
    },
  );
});
