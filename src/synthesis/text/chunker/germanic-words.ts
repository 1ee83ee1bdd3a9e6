import type { LanguageWords } from './word-lists.ts';

export const GERMANIC: Readonly<Record<'en' | 'de' | 'nl' | 'sv' | 'da', LanguageWords>> = {
  en: {
    beforeName:
      'mr mrs ms mx dr prof rev fr hon st ste mt ft gen col maj capt lt sgt sen rep gov pres supt ' +
      'messrs mmes vs viz cf eg ie e.g i.e approx ca esp incl attn dept',
    beforeNumber:
      'no nos p pp vol ch fig sec art para ext apt rm tel jan feb mar apr jun jul aug sep sept oct nov dec',
    either:
      'etc inc ltd co corp llc jr sr esq ave blvd rd hwy bldg a.m p.m ph.d b.sc m.sc al est i',
    determiners:
      'a an the this that these those my your his her its our their some any no every each another ' +
      'which what how very too so not is one two three four i you he she we they',
    heads:
      'and or but because if when while although though until unless since before after as that ' +
      'of in on at by for with from to into about under over between through during without within against per',
  },
  de: {
    beforeName:
      'hr hrn fr dr prof dipl ing med jur phil rer nat hl st geb verh vgl bzw ca evtl ggf inkl exkl ' +
      'zzgl bspw sog bes allg z.b z.t d.h u.a o.ä i.d.r u.u v.a n.chr v.chr s.o s.u z.hd',
    beforeNumber: 'nr tel art abs bd kap abb',
    either: 'usw etc mio mrd std str jh jr co m.e o.g',
    determiners:
      'der die das den dem des ein eine einen einem einer eines mein meine dein ihr ihre ihren ihrem ' +
      'sein seine unser unsere kein keine keinen dieser diese dieses diesen jeder jede jedes sehr ' +
      'ist sind zu nicht ich du er sie es wir',
    heads:
      'und oder aber weil wenn dass denn sondern ob als während obwohl bis bevor nachdem damit ' +
      'in im ins an am auf aus bei beim mit nach von vom vor zum zur für über unter um durch ohne gegen seit',
    ordinals: 'before-any',
  },
  nl: {
    beforeName:
      'dhr mevr mw dr drs ir ing mr prof st bijv bv vgl ca evt incl excl o.a d.w.z m.b.t t/m',
    beforeNumber: 'nr tel art blz p',
    either: 'enz etc e.d a.u.b jr mln mld',
    determiners:
      'de het een mijn jouw uw zijn haar ons onze hun deze dit die dat geen elke elk is ik je u hij we',
    heads:
      'en of maar omdat als wanneer dat want terwijl hoewel totdat voordat nadat ' +
      'in op aan bij met naar van voor uit over onder om door zonder tegen sinds tot tussen',
  },
  sv: {
    beforeName: 'hr fr dr prof t.ex bl.a d.v.s ca dvs tex bla jfr ev inkl exkl s.k st f.d',
    beforeNumber: 'nr tel kap sid s',
    either: 'osv etc m.m m.fl kl f.n',
    determiners:
      'en ett den det de min mitt mina din ditt dina er ert era vår vårt våra denna detta inte är jag du vi ni',
    heads:
      'och eller men eftersom om när att medan innan efter för att så ' +
      'i på till från med av vid hos åt under över mellan utan genom mot sedan',
  },
  da: {
    beforeName: 'hr fr dr prof f.eks bl.a dvs ca jf evt inkl ekskl s.k',
    beforeNumber: 'nr tlf kap kl s',
    either: 'osv etc m.m m.fl mio mia',
    determiners:
      'en et den det de min mit mine din dit dine deres jeres vores denne dette disse ikke er jeg du vi',
    heads:
      'og eller men fordi hvis når at mens før efter ' +
      'i på til fra med af ved hos under over mellem uden gennem mod siden om for',
    ordinals: 'before-lowercase',
  },
};
