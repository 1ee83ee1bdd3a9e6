import type { LanguageWords } from './word-lists.ts';

type Other = 'el' | 'fi' | 'tr' | 'ar' | 'hi' | 'ta' | 'id' | 'ms' | 'fil' | 'ko' | 'ja' | 'zh';

export const OTHER: Readonly<Record<Other, LanguageWords>> = {
  el: {
    beforeName: 'κ κα κος κ.κ δρ καθ αγ οδ λεωφ π.χ δηλ λ.χ βλ πρβλ',
    beforeNumber: 'αρ τηλ σελ άρθ κεφ',
    either: 'κ.λπ κλπ κ.ά κτλ π.μ μ.μ χλμ ευρ',
    determiners:
      'ο η το οι τα του της των τον την τους τις ένας μια ένα μου σου σας μας αυτός αυτή αυτό δεν μη θα να πολύ',
    heads:
      'και ή αλλά ότι αν όταν επειδή γιατί ενώ ώστε που σε στο στη στην στον στις με από για χωρίς προς κατά μετά πριν μέχρι',
    trailers: 'μου σου σας μας',
  },
  fi: {
    beforeName: 'hra rva nti tri dr prof esim ks vrt ml mm ns ts n t.s',
    beforeNumber: 'nro puh klo s kpl',
    either: 'jne yms ym tms milj mrd',
    determiners: 'tämä tuo se nämä ne minun sinun teidän meidän jokainen ei en hyvin minä te me',
    heads: 'ja tai mutta että jos kun koska vaikka kunnes ennen jälkeen ilman',
    ordinals: 'before-lowercase',
  },
  tr: {
    beforeName: 'dr prof doç av sn hz st cad sok mah bkz örn yrd op uzm alb gen',
    beforeNumber: 'no tel s md',
    either: 'vb vs vd ltd şti a.ş tic',
    determiners: 'bu şu o bir her benim sizin bizim çok en hiç',
    heads: 've veya ya ama çünkü eğer ancak fakat',
    trailers:
      'mi mı mu mü misiniz mısınız musunuz müsünüz mıyım miyim muyum de da ki ile için kadar gibi sonra önce göre',
    ordinals: 'before-any',
  },
  ar: {
    beforeName: 'أ.د هـ ق.م ب.م',
    determiners: 'هذا هذه ذلك تلك كل لا لم لن ما قد سوف',
    heads:
      'و أو لكن ولكن لأن إذا عندما حتى بينما في من إلى على عن مع بعد قبل بين خلال أن إن التي الذي',
  },
  hi: {
    beforeName: 'डॉ श्री सुश्री प्रो पं ए बी सी डी ई एफ एच जे के एल एम एन ओ आर एस टी वी रु क्र सं',
    determiners: 'यह वह ये वे इस उस मेरा मेरी आपका आपकी आपके हमारा हमारी हर एक कोई बहुत न',
    heads: 'और या लेकिन क्योंकि अगर यदि जब तो तक ताकि कि मगर',
    trailers:
      'का की के को से में पर ने तक लिए साथ बाद पहले है हैं था थे थी हूँ हो गा गी गे भी ही जी द्वारा रहा रही रहे',
  },
  ta: {
    beforeName: 'திரு திருமதி டாக்டர் பேரா எம் எஸ் கே ஆர் பி வி டி எல் என் ஜி சி ஜே ரூ',
    determiners: 'இந்த அந்த ஒரு என் உங்கள் எங்கள் அவர் மிக ஒவ்வொரு',
    heads: 'மற்றும் அல்லது ஆனால் ஏனெனில் எனவே',
    trailers: 'என்று என ஆக உடன் மேல் கீழ் பிறகு முன் வரை பற்றி போது தான்',
  },
  id: {
    beforeName: 'dr prof ir drs h hj bpk sdr jl st gg kab kec yth a.n u.p',
    beforeNumber: 'no telp tlp hlm hal rp',
    either: 'dll dsb dst s.d tbk s.h s.e m.m',
    determiners: 'ini itu sebuah seorang para setiap tidak sangat saya anda kami kita akan yang',
    heads:
      'dan atau tetapi tapi karena jika kalau ketika sehingga bahwa agar yang di ke dari pada untuk dengan tanpa oleh dalam antara sampai',
  },
  ms: {
    beforeName: 'dr prof en pn cik tn hj hjh sdr jln lrg kg yb dato',
    beforeNumber: 'no tel hlm rm',
    either: 'dll dsb sdn bhd dst',
    determiners: 'ini itu sebuah seorang para setiap tidak sangat saya anda kami kita akan yang',
    heads:
      'dan atau tetapi kerana jika apabila supaya bahawa yang di ke dari pada untuk dengan tanpa oleh dalam antara sehingga',
  },
  fil: {
    beforeName: 'g gng bb dr dra prof sto sta atty engr hon',
    beforeNumber: 'blg tel no',
    either: 'atbp n.h n.u',
    determiners:
      'ang mga si sina ng ni nina isang aking iyong ating kanyang bawat hindi napaka ito iyan',
    heads: 'at o pero ngunit dahil kung kapag habang upang na nang sa para mula tungkol hanggang',
  },
  ko: {
    determiners: '이 그 저 한 각 매 모든 안 못 더 제 내 우리',
    heads: '및 그리고 그러나 하지만 또는 그래서',
  },
  ja: { determiners: '', heads: '' },
  zh: {
    determiners: '这 那 一 个 每 我 你 您 的 不 很 是 將 将 請 请 這 個',
    heads:
      '和 与 與 或 但 但是 因为 因為 如果 所以 在 从 從 对 對 到 给 給 把 被 为 為 以及 并 並 而',
  },
};
