/** What eSpeak NG 1.52 makes of real sentences, in the alphabet and order that Piper voices read. */
export const SENTENCES = {
  /** "Good morning." */
  short: 'ɡˈʊd mˈɔːɹnɪŋ.',
  /** "Your appointment is on March third, and the fee is forty-two dollars and fifty cents." */
  medium:
    'jʊɹ ɐpˈɔɪntmənt ɪz ˌɔn mˈɑːɹtʃ θˈɜːd, ænd ðə fˈiː ɪz fˈɔːɹɾitˈuː dˈɑːlɚz ænd fˈɪfti sˈɛnts.',
  /**
   * "Please hold the line while I look up the details of your order, because the system has been a
   * little slow this morning, and I would rather give you the right answer than a quick one."
   */
  long:
    'plˈiːz hˈoʊld ðə lˈaɪn wˌaɪl aɪ lˈʊk ˌʌp ðə diːtˈeɪlz ʌv jʊɹ ˈɔːɹdɚ, bɪkˈʌz ðə sˈɪstəm ' +
    'hˈæzbiːn ɐ lˈɪɾəl slˈoʊ ðɪs mˈɔːɹnɪŋ, ænd aɪ wʊd ɹˈæðɚ ɡˈɪv juː ðə ɹˈaɪt ˈænsɚ ðˌænə kwˈɪk wˌʌn.',
  /** "Bom dia, como posso ajudar?" */
  portugueseShort: 'bˈoŋ dʒˈiæ, kˌomʊ pˌɔsʊ ˌaʒudˈar?',
  /** "A sua consulta foi marcada para a próxima segunda-feira, às dez horas da manhã, na clínica." */
  portugueseLong:
    'a sˌuæ kˌoŋsˈuwtæ foɪ mˌaɾəkˈadæ pˌaɾæ a prˈɔsimæ seɡˈũŋdæfˈeɪɾæ, aːz dˈɛs ˈɔɾæz da mɐ̃ɲˈɐ̃, ' +
    'na klˈinikæ.',
} as const;

/** One NFD code point each, as a `SynthesisRequest` carries them. */
export function symbolsOf(sentence: keyof typeof SENTENCES): readonly string[] {
  return [...SENTENCES[sentence].normalize('NFD')];
}
