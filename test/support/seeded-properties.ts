import fc from 'fast-check';

/**
 * Gives every property test the same seed in each run, so that a run that passed passes again.
 * `FC_SEED=$RANDOM npm test` looks at other cases; what it finds becomes a case of its own.
 */
fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 20261122) });
