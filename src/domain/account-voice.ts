/** A voice of an account's own: adopted from the library, or made from recordings. */
export interface AccountVoice {
  readonly accountId: string;
  /** Of a library voice, its id in the library. Unique within the account. */
  readonly voiceId: string;
  readonly origin: 'library' | 'recordings';
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number;
  /** In the order in which they came; none of a library voice. */
  readonly samples: readonly VoiceSample[];
}

/** A recording that a voice is to be made from. */
export interface VoiceSample extends RecordingAnalysis {
  readonly sampleId: string;
  /** As the caller named it; never part of a path. */
  readonly fileName: string;
  /** Of what the file holds, whatever the caller said. */
  readonly mimeType: string;
  /** Where its bytes are. */
  readonly blobKey: string;
  readonly sizeBytes: number;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** What the caller wishes to happen to it before a voice is made from it. */
  readonly removeBackgroundNoise: boolean;
}

/** What listening to a recording tells. */
export interface RecordingAnalysis {
  readonly durationMs: number;
  readonly sampleRate: number;
  /** Root mean square over the whole of it, in dB of full scale; silence is −120. */
  readonly levelDbfs: number;
}
