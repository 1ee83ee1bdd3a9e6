// @ts-check

/** A failure whose message already says what is wrong and what to do; shown without a stack trace. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(message, options) {
    super(message, options);
    this.name = 'SetupError';
  }
}

/**
 * One line that tells a reader what went wrong: the message, with the cause behind it when that says more.
 * @param {unknown} error
 * @returns {string}
 */
export function describeError(error) {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return [...new Set(error.errors.map(describeError))].join('; ');
  }
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  return error.message || code || error.name;
}

/**
 * The system's error code, such as `ENOSPC`, when there is one.
 * @param {unknown} error
 * @returns {string | undefined}
 */
export function errorCode(error) {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
