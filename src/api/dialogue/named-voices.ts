import type { Caller } from '../../domain/account.ts';
import type { ContextCommand } from '../../synthesis/speech/speech-contexts.ts';
import type { SpeechServices } from '../../synthesis/speech/speech-services.ts';

/** Looks for the voices of a connection as soon as they are named, so that a wrong one is told before any text. */
export class NamedVoices {
  readonly #caller: Caller;
  readonly #findVoice: SpeechServices['findVoice'];
  /** Clients name the same voices in every message. */
  readonly #found = new Set<string>();

  constructor(caller: Caller, { findVoice }: Pick<SpeechServices, 'findVoice'>) {
    this.#caller = caller;
    this.#findVoice = findVoice;
  }

  /** As `ConnectionAdmission.ready`. Rejects with what the look-up of a voice threw. */
  ready(command: ContextCommand): Promise<void> | undefined {
    if (command.type !== 'configure') return undefined;
    const voiceIds = (command.settings.voices ?? []).filter((id) => !this.#found.has(id));
    return voiceIds.length === 0 ? undefined : this.#find(voiceIds);
  }

  async #find(voiceIds: readonly string[]): Promise<void> {
    await Promise.all(voiceIds.map((id) => this.#findVoice(this.#caller, id)));
    for (const id of voiceIds) this.#found.add(id);
  }
}
