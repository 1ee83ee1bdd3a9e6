import type { CarrierName } from '../../domain/carrier.ts';
import type { VoiceSettings } from '../../domain/voice.ts';
import type { LatencyLevel } from '../../synthesis/text/chunk-policy.ts';
import type { TransferRule } from './transfer-rule.ts';

/** Where the bot of a call comes from. */
export type BotSource =
  /** A bot attaches to the call by itself. */
  | { readonly type: 'attach'; readonly waitMs: number }
  /** Sidetone connects to the bot. */
  | {
      readonly type: 'dial';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** The built-in bot, with a menu of its own; without a file, with the one that it comes with. */
  | { readonly type: 'menu'; readonly menuFile: string | undefined };

/** What becomes of a caller whose bot vanishes, after what it had sent has or has not been spoken. */
export interface BotLossPlan {
  /** Whether what the bot had written is still spoken. */
  readonly finishesSpeech: boolean;
  /** Said before the call is ended. */
  readonly apology: string | undefined;
}

/** What makes the bot fall silent by itself. */
export interface BargeIn {
  /** The caller's voice. */
  readonly onSpeech: boolean;
  /** A key of the caller's phone. */
  readonly onDtmf: boolean;
}

/** How calls that come in at one address are answered. */
export interface Line {
  /** Its place in addresses: `/v1/lines/{line}/…`. */
  readonly lineId: string;
  /** The key whose account pays for calls whose carrier signs its requests; see `secrets`. */
  readonly keyId: string | undefined;
  readonly voiceId: string | undefined;
  readonly modelId: string | undefined;
  readonly voiceSettings: Partial<VoiceSettings>;
  readonly latencyLevel: LatencyLevel;
  readonly bot: BotSource;
  readonly bargeIn: BargeIn;
  readonly botLoss: BotLossPlan;
  /** Whom bots may pass callers on to; without it, nobody but the numbers of the line's own menu. */
  readonly transfers: TransferRule | undefined;
  /**
   * What each carrier signs its requests with (a public key, for those that sign with a private
   * one). A carrier that has one here must sign, and the key of the line pays. A signature that does
   * not change from one media stream to the next needs a token or a key with the stream besides.
   */
  readonly secrets: Readonly<Partial<Record<CarrierName, string>>>;
}
