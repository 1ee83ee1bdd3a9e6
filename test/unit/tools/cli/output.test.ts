import { describe, expect, it } from 'vitest';
import { CliError } from '../../../../src/tools/cli/cli-error.ts';
import { chooseOutput, FORMAT_CHOICES } from '../../../../src/tools/cli/output.ts';

describe('chooseOutput', () => {
  it.each([
    ['call.ulaw', undefined, 'ulaw_8000', 'none'],
    ['call.alaw', undefined, 'alaw_8000', 'none'],
    ['CALL.MP3', undefined, 'mp3_44100_128', 'none'],
    ['call.opus', undefined, 'opus_48000_64', 'none'],
    ['call.ogg', undefined, 'opus_48000_64', 'none'],
    ['call.wav', undefined, 'pcm_22050', 'wav'],
    ['call.raw', undefined, 'pcm_22050', 'none'],
    ['-', 'wav', 'pcm_22050', 'wav'],
    ['call.wav', 'alaw_8000', 'alaw_8000', 'wav'],
    ['call.mp3', 'mp3_22050_32', 'mp3_22050_32', 'none'],
  ])('for %s and --format %s is %s', (path, formatName, name, container) => {
    expect(chooseOutput(path, formatName)).toMatchObject({ path, format: { name }, container });
  });

  it('refuses a WAV file of what has a file format of its own', () => {
    expect(() => chooseOutput('call.wav', 'mp3_44100_128')).toThrow(CliError);
    expect(() => chooseOutput('call.wav', 'opus_48000_64')).toThrow(/Name the file \.opus/);
  });
});

describe('FORMAT_CHOICES', () => {
  it('are what the websocket can stream, and a WAV file of it', () => {
    expect(FORMAT_CHOICES).toContain('wav');
    expect(FORMAT_CHOICES).toContain('opus_48000_64');
    expect(FORMAT_CHOICES.filter((name) => name.startsWith('wav_'))).toEqual([]);
  });
});
