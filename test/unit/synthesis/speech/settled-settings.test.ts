import { describe, expect, it } from 'vitest';
import { SettledSettings } from '../../../../src/synthesis/speech/settled-settings.ts';

const calm = { voiceSettings: { stability: 0.9 } };

describe('SettledSettings', () => {
  it('takes settings in any number of frames until they are used', () => {
    const settings = new SettledSettings();
    settings.offer(calm);
    settings.offer({ chunkLengthSchedule: [50] });
    expect(settings.open({})).toMatchObject({ ...calm, chunkLengthSchedule: [50] });
  });

  it('fills what was not sent from the defaults', () => {
    const settings = new SettledSettings();
    settings.offer({ chunkLengthSchedule: [80] });
    expect(settings.open({ ...calm, chunkLengthSchedule: [50] })).toMatchObject({
      ...calm,
      chunkLengthSchedule: [80],
    });
  });

  it('tolerates an identical repeat and refuses a change once they are in use', () => {
    const settings = new SettledSettings();
    settings.offer(calm);
    settings.open({}).settleVoice();
    settings.offer({ voiceSettings: { stability: 0.9 } });
    expect(() => settings.offer({ voiceSettings: { stability: 0.1 } })).toThrowError(
      expect.objectContaining({ code: 'invalid_input_message', param: 'voice_settings' }),
    );
  });

  it('takes other settings of the voice until the first chunk, and of text until the first text', () => {
    const settings = new SettledSettings();
    settings.offer(calm);
    const opened = settings.open({ chunkLengthSchedule: [50] });
    expect(() => settings.offer({ chunkLengthSchedule: [80] })).toThrowError(
      expect.objectContaining({ param: 'generation_config' }),
    );
    settings.offer({ voiceSettings: { stability: 0.1 } });
    expect(opened.settleVoice()).toEqual({ stability: 0.1 });
    expect(() => settings.offer(calm)).toThrowError(
      expect.objectContaining({ param: 'voice_settings' }),
    );
  });

  it.each([
    [{ chunkLengthSchedule: [50, 80] }, 'generation_config'],
    [{ dictionaries: [{ dictionaryId: 'one' }] }, 'pronunciation_dictionary_locators'],
  ])('names what was changed: %j', (change, param) => {
    const settings = new SettledSettings();
    settings.offer(calm);
    settings.open({ chunkLengthSchedule: [50] }).settleVoice();
    expect(() => settings.offer({ ...calm, ...change })).toThrowError(
      expect.objectContaining({ param }),
    );
  });
});
