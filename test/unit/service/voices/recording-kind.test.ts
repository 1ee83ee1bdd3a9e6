import { describe, expect, it } from 'vitest';
import { recordingKind } from '../../../../src/service/voices/recording-kind.ts';
import { toneRecording } from '../../../support/recordings.ts';

describe('recordingKind', () => {
  it.each([
    ['WAV', toneRecording()],
    ['MP3', Buffer.from('ID3\x04and so on', 'latin1')],
    ['MP3', Buffer.from('\xff\xfb\x90\x64', 'latin1')],
    ['FLAC', Buffer.from('fLaC\0')],
    ['Ogg', Buffer.from('OggS\0')],
    ['MP4', Buffer.from('\0\0\0\x20ftypM4A ')],
    ['WebM', Buffer.from('\x1a\x45\xdf\xa3', 'latin1')],
    ['ZIP', Buffer.from('PK\x03\x04')],
    ['gzip', Buffer.from('\x1f\x8b\x08', 'latin1')],
  ])('knows %s by its first bytes', (kind, file) => {
    expect(recordingKind(file)).toBe(kind);
  });

  it.each(['', 'RIFF', 'RIFF1234AVI ', 'JUNK1234WAVE', 'a text'])('does not know %j', (text) => {
    expect(recordingKind(Buffer.from(text))).toBeUndefined();
  });
});
