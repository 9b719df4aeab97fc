import { answersOf, type Contender, importPackage } from './detector.ts';

interface Franc {
  franc(text: string, options: { minLength: number }): string;
}

/** By default it returns no answer for less than ten characters. */
const OPTIONS = { minLength: 1 };

function contender(description: Pick<Contender, 'name' | 'title' | 'codes'>): Contender {
  const found: Contender = {
    ...description,
    // Its Central Kurdish is Kurdish in Latin letters.
    exceptions: { ckb: ['kmr'] },
    givesProbabilities: false,
    async load() {
      const { franc } = await importPackage<Franc>(description.name);
      const answer = answersOf(found);
      return {
        detect(text) {
          const code = franc(text, OPTIONS);
          return code === 'und' ? undefined : answer(code);
        },
      };
    },
  };
  return found;
}

export const franc = contender({
  name: 'franc',
  title: 'franc 6.2',
  codes:
    'ace ada afr aii als amh arb ayr azj bam ban bci bcl bel bem ben bho bin bod bos bug bul bum cat ceb ces cjk ckb cmn dan deu dip dyu ekk ell emk eng epo ewe fin fon fra fuf fuv gaa glg guj hat hau heb hil hin hms hnj hrv hun hye ibb ibo iii ilo ind ita jav jpn kan kat kaz kbd kbp kde khk khm kin kir kmb knc kng koi kor lao lin lit lua lug lun lvs mad mag mai mal mar men min mkd mos mya ndo nds nhn nld nno nob npi nso nya nyn pam pan pbu pes plt pol por prs qug quy quz rmn ron run rup rus sag sat sco shn sin skr slk slv sna snk som sot spa src srp ssw suk sun swe swh tam tat tel tem tgk tgl tha tir tiv toi tpi tsn tso tuk tur tzm uig ukr umb urd uzn vec ven vie vmw war wol xho yao ydd yor zgh zlm zul zyb'.split(
      ' ',
    ),
});

export const francAll = contender({
  name: 'franc-all',
  title: 'franc-all 7.2',
  codes:
    'aar abk ace acu ada ady afr agr aii ajg als alt amc ame amh ami amr arb arl arn ast auc ayr azb azj bam ban bax bba bci bcl bel bem ben bfa bho bin bis blt boa bod bos bre buc bug bul bum cab cak cat cbi cbr cbs cbt cbu ceb ces cfm cha chj chk chr chv cic cjk cjs ckb cmn cnh cni cnr cof cos cot cpu crh cri crs csa csw ctd cym dag dan ddn deu dga dip div dje duu dyo dyu dzo ekk ell emk eng epo ese eus eve evn ewe fao fat fij fin fkv fon fra fry fuf fur fuv fvr gaa gag gaz gej gjn gkp gla gld gle glg glv gsw guc gug guj guk guu gyr hat hau haw hea heb hil hin hlt hms hni hnj hns hrv hsb hun hus huu hye ibb ibo ido idu iii ijs ike ilo ina ind isl ita jav jiv jpn kaa kal kan kat kaz kbd kbp kbr kde kdh kea kek kha khk khm kin kir kjh kkh kmb knc kng koi koo kor kqn kqs kri krl ktu kwi lad lao lat lia lij lin lit lld lns lob lot loz ltz lua lue lug lun lus lvs mad mag mah mai mal mam mar maz mcd mcf men mfq mic min miq mkd mlt mnw mor mos mri mto mxi mxv mya mzi nav nba nbl ndo nds nhn nio niu niv njo nku nld nno nob not npi nso nya nym nyn nzi oaa oci ojb oki orh oss ote pam pan pap pau pbb pbu pcd pcm pes pis piu plt pnb pol pon por pov ppl prs quc que qug quh quy quz qva qvc qvh qvm qvn qwh qxn qxu rar rgn rmn roh ron run rup rus sag sah san sat sco sey shk shn shp sid sin skr slk slr slv sme smo sna snk snn som sot spa src srp srr ssw suk sun sus swb swe swh tah tam tat tbz tca tdt tel tem tet tgk tgl tha tir tiv tly tob toi toj ton top tpi tsn tso tsz tuk tur twi tyv tzh tzm tzo udu uig ukr umb ura urd uzn vai vec ven vep vie vmw war wln wol wwa xho xsm yad yao yap ydd ykg yor yrk yua zam zdj zgh zlm zro ztu zul zyb'.split(
      ' ',
    ),
});
