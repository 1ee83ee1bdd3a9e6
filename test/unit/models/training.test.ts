import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ShardFolder } from '../../../models/training/shard.ts';
import { SpokenText } from '../../../models/training/spoken-text.ts';

describe('the text that the teacher reads', () => {
  it('has its numbers written out', async () => {
    const text = await SpokenText.open();
    expect(text.symbols('42', 'en-us')).toEqual(text.symbols('forty-two', 'en-us'));
  });
});

describe('a folder of shards', () => {
  it('keeps arrays where its index says, each at a whole float', () => {
    const path = mkdtempSync(join(tmpdir(), 'shards-'));
    const folder = new ShardFolder(path);
    expect(folder.has(7)).toBe(false);
    folder.write(7, [
      {
        facts: { text: 'a' },
        arrays: { pcm: Int16Array.of(1, -2, 3), pitch: Float32Array.of(0.5) },
      },
    ]);
    expect(folder.has(7)).toBe(true);
    const [entry] = JSON.parse(readFileSync(join(path, '00007.json'), 'utf8'));
    expect(entry).toEqual({ text: 'a', arrays: { pcm: [0, 3, 'i2'], pitch: [8, 1, 'f4'] } });
    const data = readFileSync(join(path, '00007.bin'));
    expect([data.readInt16LE(2), data.readFloatLE(8)]).toEqual([-2, 0.5]);
  });
});
