import type { UsageLabels } from '../../src/domain/usage.ts';

/** What speaks, where a test does not mind. */
export const USAGE_LABELS: UsageLabels = { modelId: 'svc_turbo_v1', voiceId: 'ada' };
