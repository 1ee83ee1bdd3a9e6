import type { LanguageWords } from './word-lists.ts';

export const SLAVIC: Readonly<
  Record<'ru' | 'uk' | 'bg' | 'pl' | 'cs' | 'sk' | 'hr', LanguageWords>
> = {
  ru: {
    beforeName:
      'г гр ул пр пер пл наб д кв корп стр просп обл р-н им проф акад доц тов г-н г-жа св т.е т.к т.н напр ср см',
    beforeNumber: 'тел рис гл ст п с',
    either: 'т.д т.п др руб коп тыс млн млрд мин сек час я',
    determiners:
      'этот эта это эти тот та мой моя ваш ваша ваше ваши наш наша каждый не ни очень я вы мы он она',
    heads:
      'и или но а что если когда потому чтобы пока хотя ' +
      'в во на с со к ко по за из от до для без о об при через перед между под над у после',
  },
  uk: {
    beforeName:
      'м вул пр пров пл буд кв корп обл р-н ім проф акад доц п пп св т.зв т.к напр див пор',
    beforeNumber: 'тел рис гл ст с',
    either: 'т.д т.п ін др грн коп тис млн млрд хв сек год р я',
    determiners:
      'цей ця це ці той та мій моя ваш ваша ваше ваші наш наша кожен не ні дуже я ви ми він вона',
    heads:
      'і й та або але що якщо коли тому бо щоб поки хоча ' +
      'в у на з із зі до по за від для без о об про при через перед між під над після',
  },
  bg: {
    beforeName: 'г-н г-жа г-ца д-р проф доц инж ул бул жк бл вх ап гр с кв св т.нар т.е напр вж ср',
    beforeNumber: 'тел фиг гл чл стр',
    either: 'т.н др лв ст хил млн млрд мин сек г ч',
    determiners:
      'този тази това тези моя моят ваш вашата вашият нашия един една едно всеки не много аз вие ние той тя е ще да',
    heads:
      'и или но а че ако когато защото докато макар ' +
      'в във на с със към по за из от до без при през пред между под над след',
    ordinals: 'before-lowercase',
  },
  pl: {
    beforeName:
      'dr prof inż mgr hab ks św ul al pl os p pp np tzn tzw m.in red gen płk por im woj pow',
    beforeNumber: 'nr tel art str rys rozdz poz godz s',
    either: 'itd itp etc zł gr tys mln mld r w',
    determiners:
      'ten ta to te ci mój moja twój pan pani pana pański nasz nasza każdy nie bardzo ja my się',
    heads:
      'i oraz lub albo ale że jeśli gdy kiedy ponieważ bo żeby aby dopóki choć ' +
      'w we na z ze do od po za dla bez o przy przez przed między pod nad u',
    ordinals: 'before-lowercase',
  },
  cs: {
    beforeName:
      'p pí sl mgr bc ing dr mudr judr rndr phdr prof doc sv ul nám tř např tj tzv popř resp cca vč mj st',
    beforeNumber: 'č tel str obr kap odst',
    either: 'atd apod aj hod min tis mil mld kč r s.r.o a.s n.l',
    determiners:
      'ten ta to ti můj moje váš vaše vaši náš naše každý tento tato toto ne je velmi já vy my se si',
    heads:
      'a i nebo ale že pokud když protože aby než zatímco jestli ' +
      'v ve na s se z ze do od po za pro bez o u při přes před mezi pod nad k ke',
    ordinals: 'before-lowercase',
  },
  sk: {
    beforeName:
      'p pí sl mgr bc ing dr mudr judr phdr prof doc sv ul nám napr tj tzv resp cca vrát st',
    beforeNumber: 'č tel str obr kap ods',
    either: 'atď apod hod min tis mil mld r s.r.o a.s',
    determiners:
      'ten tá to tí môj moje váš vaše vaši náš naše každý tento táto toto nie je veľmi ja vy my sa si',
    heads:
      'a i alebo ale že ak keď pretože aby než zatiaľ ' +
      'v vo na s so z zo do od po za pre bez o u pri cez pred medzi pod nad k ku',
    ordinals: 'before-lowercase',
  },
  hr: {
    beforeName: 'g gđa gđica dr prof mr dipl ing sv ul tj tzv npr sl odn cca vl st',
    beforeNumber: 'br tel str čl sl god',
    either: 'itd itsl kn lp tis mil mlrd sat min d.o.o d.d',
    determiners:
      'taj ta to ti moj moja vaš vaša vaše naš naša svaki ovaj ova ovo ne vrlo ja vi mi se je će',
    heads:
      'i ili ali a da ako kad kada jer dok iako ' +
      'u na s sa iz od do po za bez o pri kroz pred među pod nad k prema nakon',
    ordinals: 'before-lowercase',
  },
};
