/**
 * The context of text that names none, as the streaming websocket has it. It is the only one that can
 * be used again after it was cut off, since its bot has no other.
 */
export const UNNAMED_CONTEXT_ID = 'default';
