import { describe, expect, it } from 'vitest';
import { MODELS, resolveModel } from '../../../src/domain/model.ts';

describe('resolveModel', () => {
  it.each([undefined, '', 'Ellipsis'])('takes %j for "none given"', (id) => {
    expect(resolveModel(id).modelId).toBe('svc_monolingual_v1');
  });

  it.each([
    ['svc_monolingual_v1', 'svc_monolingual_v1'],
    ['svc_multilingual_v1', 'svc_multilingual_v1'],
    ['svc_turbo_v1', 'svc_turbo_v1'],
    ['eleven_monolingual_v1', 'svc_monolingual_v1'],
    ['eleven_multilingual_v1', 'svc_multilingual_v1'],
    ['eleven_multilingual_v2', 'svc_multilingual_v1'],
    ['eleven_turbo_v2', 'svc_turbo_v1'],
    ['eleven_turbo_v2_5', 'svc_turbo_v1'],
    ['eleven_flash_v2', 'svc_turbo_v1'],
    ['eleven_flash_v2_5', 'svc_turbo_v1'],
    ['eleven_v3', 'svc_expressive_v1'],
    ['eleven_v3_conversational', 'svc_expressive_v1'],
    ['eleven_v4_turbo', 'svc_expressive_v1'],
  ])('answers to %s with %s', (id, modelId) => {
    expect(resolveModel(id).modelId).toBe(modelId);
  });

  it.each(['eleven_v9', 'nonsense', 'SVC_TURBO_V1', ' '])('refuses %j and lists the rest', (id) => {
    expect(() => resolveModel(id)).toThrow(
      expect.objectContaining({
        code: 'unsupported_model',
        param: 'model_id',
        message: expect.stringMatching(/svc_monolingual_v1.*eleven_flash_v2_5/),
      }),
    );
  });

  it.each(['svc_speech_to_speech_v1', 'eleven_multilingual_sts_v2'])(
    'refuses %s, and says what it is for',
    (id) => {
      expect(() => resolveModel(id)).toThrow(
        expect.objectContaining({
          code: 'unsupported_model',
          message: expect.stringMatching(/for recordings.*svc_turbo_v1/),
        }),
      );
    },
  );

  it('gives each id to one model', () => {
    const ids = MODELS.flatMap(({ modelId, aliases }) => [modelId, ...aliases]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
