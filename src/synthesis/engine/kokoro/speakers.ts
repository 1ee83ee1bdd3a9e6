/** Stem by which voices name the model; its files lie in a folder of that name. */
export const KOKORO_MODEL_FILE = 'kokoro-82m';

/** What a speaker was trained to speak: whose symbols the model reads in that speaker's voice. */
export type KokoroLanguage = 'en-US' | 'en-GB' | 'es' | 'fr' | 'hi' | 'it' | 'ja' | 'pt-BR' | 'zh';

export interface KokoroSpeaker {
  /** As it was published: language, gender, name. */
  readonly name: string;
  readonly language: KokoroLanguage;
  /** Brings the speaker to the level of the other voices. */
  readonly gain: number;
}

/** By the first letter of a speaker's name. */
const LANGUAGES: Readonly<Record<string, KokoroLanguage>> = {
  a: 'en-US',
  b: 'en-GB',
  e: 'es',
  f: 'fr',
  h: 'hi',
  i: 'it',
  j: 'ja',
  p: 'pt-BR',
  z: 'zh',
};

/**
 * In the order in which `models/manifest.json` joins their styles, which is the speaker's number; each with
 * its level in dB of full scale while it speaks, measured on a sentence. Nobody is measured whose language
 * is not read yet.
 */
const MEASURED_LEVELS = `
  af_alloy -22  af_aoede -17  af_bella -21  af_heart -21  af_jessica -22  af_kore -18
  af_nicole -20  af_nova -26  af_river -21  af_sarah -20  af_sky -23  am_adam -18  am_echo -22
  am_eric -20  am_fenrir -19  am_liam -21  am_michael -23  am_onyx -22  am_puck -18  am_santa -22
  bf_alice -20  bf_emma -20  bf_isabella -17  bf_lily -20  bm_daniel -20  bm_fable -20
  bm_george -20  bm_lewis -22  ef_dora -22  em_alex -22  em_santa -22  ff_siwis -18  hf_alpha -14
  hf_beta -15  hm_omega -14  hm_psi -16  if_sara -12  im_nicola -17  jf_alpha -20
  jf_gongitsune -20  jf_nezumi -20  jf_tebukuro -20  jm_kumo -20  pf_dora -22  pm_alex -21
  pm_santa -22  zf_xiaobei -20  zf_xiaoni -20  zf_xiaoxiao -20  zf_xiaoyi -20  zm_yunjian -20
  zm_yunxi -20  zm_yunxia -20  zm_yunyang -20
`;
/** Where the other voices of the service are. */
const WANTED_LEVEL_DB = -19;

export const KOKORO_SPEAKERS: readonly KokoroSpeaker[] = Array.from(
  MEASURED_LEVELS.matchAll(/(\w+) (-\d+)/g),
  ([, name = '', levelDb]) => ({
    name,
    language: LANGUAGES[name.charAt(0)] ?? 'en-US',
    gain: 10 ** ((WANTED_LEVEL_DB - Number(levelDb)) / 20),
  }),
);
