import { describe, expect, it } from 'vitest';
import { KokoroTask } from '../../../../../src/synthesis/engine/kokoro/kokoro-task.ts';

function task() {
  return new KokoroTask(
    { type: 'timing', ids: [0, 43, 0], style: new Float32Array(256), pace: 1 },
    { accountId: 'a', deadline: () => 0 },
  );
}

describe('a step that comes to nothing', () => {
  it('is done again once, then fails', async () => {
    const step = task();
    step.start();
    expect(step.mayTryAgain(new Error('dead'))).toBe(true);
    step.start();
    expect(step.mayTryAgain(new Error('dead'))).toBe(false);
    await expect(step.result).rejects.toMatchObject({ code: 'synthesis_failed' });
  });

  it('is not done again when nobody waits for it any more', async () => {
    const step = task();
    step.start();
    const reason = new Error('the caller spoke');
    step.fail(reason);
    expect(step.mayTryAgain(new Error('dead'))).toBe(false);
    await expect(step.result).rejects.toBe(reason);
  });
});
