import type {
  HistoryRecording,
  SpeechHistory,
} from '../../../../src/api/rest-speech/speech-services.ts';
import type { RecordingResult } from '../../../../src/service/account/audio-recording.ts';
import type { HistoryDraft } from '../../../../src/service/account/history-recorder.ts';

export interface KeptItem {
  readonly historyItemId: string;
  readonly draft: HistoryDraft;
  readonly result: RecordingResult;
  readonly audio: Buffer;
}

/** Keeps generations in memory. */
export class MemoryHistory implements SpeechHistory {
  readonly items: KeptItem[] = [];
  abandoned = 0;
  /** Makes every write fail, as on a full disk. */
  isFull = false;
  #begun = 0;

  async begin(draft: HistoryDraft): Promise<HistoryRecording> {
    const historyItemId = `item-${++this.#begun}`;
    const written: Uint8Array[] = [];
    return {
      historyItemId,
      write: async (audio) => {
        if (this.isFull) throw new Error('The disk is full.');
        written.push(audio.slice());
      },
      finish: async (result) => {
        this.items.push({ historyItemId, draft, result, audio: Buffer.concat(written) });
      },
      abandon: async () => {
        this.abandoned++;
      },
    };
  }
}
