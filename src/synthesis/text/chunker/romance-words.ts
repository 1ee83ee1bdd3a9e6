import type { LanguageWords } from './word-lists.ts';

export const ROMANCE: Readonly<Record<'fr' | 'es' | 'it' | 'pt' | 'ro', LanguageWords>> = {
  fr: {
    beforeName: 'm mm mme mmes mlle mlles dr pr me mgr st ste av bd env cf p.ex c.-à-d ex',
    beforeNumber: 'n no tél art p chap fig vol',
    either: 'etc cie ltée jr',
    determiners:
      'le la les un une des du mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet ' +
      'cette ces quel quelle ne pas très je tu il elle nous vous ils elles on',
    heads:
      'et ou mais parce que qui si quand lorsque puisque comme car donc afin ' +
      'de à au aux en dans sur sous avec sans pour par chez vers entre depuis pendant avant après',
  },
  es: {
    beforeName: 'sr sra sres srta d dña dr dra prof lic ing gral av avda c p.ej ej aprox sto sta',
    beforeNumber: 'n nº núm tel art pág págs cap vol',
    either: 'etc cía s.a s.l ee.uu depto ud uds vd vds',
    determiners:
      'el la los las un una unos unas mi mis tu tus su sus nuestro nuestra este esta estos estas ese esa ' +
      'esos esas cada lo no muy yo usted me le les se que',
    heads:
      'y e o u pero porque si cuando mientras aunque como que ' +
      'de del a al en con sin por para sobre entre desde hasta hacia según durante antes después',
  },
  it: {
    beforeName:
      'sig sigg sig.ra sig.na dott dott.ssa prof prof.ssa ing avv arch rag on mons s p.es es ca',
    beforeNumber: 'n nr tel art pag pagg cap vol',
    either: 'ecc etc s.p.a s.r.l spa jr è',
    determiners:
      'il lo la i gli le un uno una mio mia tuo tua suo sua nostro nostra vostro vostra loro questo questa ' +
      'quel quella ogni non molto mi ti si ci vi che',
    heads:
      'e ed o ma perché se quando mentre anche come che ' +
      'di del della dei delle dello a al alla ai alle da dal dalla in nel nella nei con su sul sulla per tra fra senza',
  },
  pt: {
    beforeName: 'sr sra srs srta dr dra prof profa eng d av r p.ex ex aprox exmo exma v.ex sto sta',
    beforeNumber: 'n nº núm tel art pág págs cap vol',
    either: 'etc cia ltda s.a é',
    determiners:
      'o a os as um uma uns umas meu minha seu sua teu tua nosso nossa este esta esse essa cada não muito ' +
      'me te se lhe eu que',
    heads:
      'e ou mas porque se quando enquanto embora como que ' +
      'de do da dos das em no na nos nas a ao à aos às com sem por pelo pela para sobre entre desde até após',
  },
  ro: {
    beforeName: 'dl d-l dna d-na dra dr prof ing st bd str al ex cca conf',
    beforeNumber: 'nr tel art pag cap vol',
    either: 'etc ș.a s.a s.r.l ș.a.m.d',
    determiners:
      'un o niște al a ai ale acest această acești aceste fiecare nu foarte îmi vă se mă te ne',
    heads:
      'și sau dar pentru că dacă când deși iar să care ' +
      'de la în din pe cu fără prin până spre sub peste între după despre',
  },
};
