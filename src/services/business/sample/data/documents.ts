/**
 * The last four months of the company. Days count back from the start of the jar; lines are `item*quantity` or `account*quantity@amount`.
 */

/** Days ago, vendor, the vendor's own number, lines, whether it is posted; older ones are paid. */
export const PURCHASES: readonly (readonly [number, string, string, string, boolean])[] = [
  [118, 'V00010', 'KT-88012', '1001*120 1002*120 1003*60 1009*80 1010*100', true],
  [116, 'V00130', 'F-20455', '1004*90 1005*80', true],
  [115, 'V00060', 'SK-7731', '1011*70 1012*60 1013*120 1014*30 1015*40 1016*50', true],
  [112, 'V00020', 'RE-0319', '1020*90 1021*80 1022*80 1025*200 1027*40', true],
  [110, 'V00030', 'G-5520', '1030*150 1031*90 1032*90 1033*60 1035*70', true],
  [108, 'V00040', 'MV-218', '1017*90 1018*50 1019*40', true],
  [104, 'V00110', 'FT-1190', '1037*6 1038*4 1039*20 1041*60 1042*60', true],
  [101, 'V00050', 'LH-771', '1048*120 1049*80 1050*90 1051*40 1052*60', true],
  [97, 'V00070', 'E-40012', '1007*50 1008*60', true],
  [93, 'V00090', 'CV-0071', '1006*18', true],
  [88, 'V00080', 'BM-6642', '1040*24 1043*60', true],
  [82, 'V00210', 'M-10', '6110*1@1150', true],
  [77, 'V00120', 'TU-302', '1023*150 1026*180 1024*40', true],
  [61, 'V00200', 'EN-5512', '6120*1@861.4', true],
  [52, 'V00210', 'M-11', '6110*1@1150', true],
  [40, 'V00060', 'SK-7802', '1011*40 1028*30', true],
  [33, 'V00230', 'FF-99', '6310*1@690', true],
  [22, 'V00210', 'M-12', '6110*1@1150', true],
  [15, 'V00190', 'DS-3127', '6410*1@739.5', true],
  [4, 'V00180', 'KW-118', '6210*1@312.8', false],
  [2, 'V00010', 'KT-88340', '1001*60 1002*60', false],
  [1, 'V00220', '', '6130*1@480', false],
];

/** Days ago, customer, lines, outcome: paid, open, partly paid, cancelled, or still a draft. */
export const INVOICES: readonly (readonly [number, string, string, 'paid' | 'open' | 'part' | 'canceled' | 'draft'])[] =
  [
    [95, 'C00010', '1001*6 1002*6 1010*12', 'paid'],
    [92, 'C00020', '1020*20 1021*20 1028*10 1031*15', 'paid'],
    [90, 'C00030', '1004*12 1005*10 1011*8', 'paid'],
    [86, 'C00110', '1037*1 1039*1 1057*4', 'paid'],
    [83, 'C00120', '1014*6 1015*8 1012*10', 'paid'],
    [79, 'C00150', '1004*15 1007*8', 'paid'],
    [75, 'C00070', '1025*36 1026*24', 'paid'],
    [71, 'C00040', '1003*6 1008*8 1029*0', 'open'],
    [68, 'C00170', '1006*4 1007*6', 'open'],
    [64, 'C00210', '1017*12 1018*8 1011*6', 'paid'],
    [60, 'C00220', '1011*10 1013*20 1016*6', 'part'],
    [55, 'C00250', '1038*1 1039*2 1058*3', 'paid'],
    [51, 'C00080', '1053*0 1001*10 1002*10 1009*10', 'canceled'],
    [47, 'C00090', '1020*10 1021*10 1030*12', 'open'],
    [42, 'C00270', '1011*15 1015*10 1019*8', 'open'],
    [36, 'C00190', '1037*1 1041*4 1042*6', 'open'],
    [30, 'C00050', '1050*6 1048*12', 'paid'],
    [27, 'C00130', '1031*12 1032*12 1033*12', 'open'],
    [20, 'C00020', '1027*8 1025*24', 'open'],
    [14, 'C00100', '1018*4 1012*4 1056*12', 'open'],
    [9, 'C00010', '1023*24 1026*24', 'open'],
    [5, 'C00060', '1004*4 1034*0 1030*4', 'open'],
    [3, 'C00030', '1005*8 1007*4', 'draft'],
    [2, 'C00160', '1043*6 1025*12', 'draft'],
    [1, 'C00280', '1054*1 1060*1', 'draft'],
  ];

/** Days ago, customer, lines, and whether it was shipped and invoiced. */
export const ORDERS: readonly (readonly [number, string, string, boolean])[] = [
  [45, 'C00140', '1007*6 1008*6', true],
  [31, 'C00240', '1017*10 1013*10', true],
  [18, 'C00230', '1025*24 1026*24', true],
  [12, 'C00120', '1014*4 1015*6', false],
  [10, 'C00110', '1040*3 1043*6', false],
  [7, 'C00180', '1031*10 1032*10', false],
  [6, 'C00260', '1011*20 1012*15', false],
  [4, 'C00020', '1020*12 1051*10 1052*12', false],
  [2, 'C00200', '1004*10 1005*10', false],
  [1, 'C00040', '1030*24', false],
];

/** Days ago, customer, lines, and state. */
export const QUOTES: readonly (readonly [number, string, string, 'draft' | 'sent' | 'accepted'])[] = [
  [24, 'C00270', '1038*2 1039*2', 'sent'],
  [16, 'C00080', '1053*5 1055*5', 'sent'],
  [11, 'C00090', '1059*16', 'accepted'],
  [8, 'C00150', '1006*6', 'sent'],
  [3, 'C00100', '1044*40 1045*20', 'draft'],
  [1, 'C00070', '1037*1 1057*3', 'draft'],
];

/** Days ago, customer, lines, and whether it is posted. */
export const CREDIT_MEMOS: readonly (readonly [number, string, string, boolean])[] = [
  [58, 'C00030', '1011*1', true],
  [13, 'C00120', '1015*1', true],
  [2, 'C00020', '1031*1', false],
];

/** Payments to vendors and other daily transactions: days ago, description, account, balancing account, amount. */
export const JOURNAL: readonly (readonly [number, string, string, string, number])[] = [
  [120, 'Share capital paid in', '1110', '3110', 250_000],
  [120, 'Shelves and fork lift', '1610', '1110', 38_400],
  [119, 'Delivery van', '1620', '1110', 29_900],
  [90, 'Wages', '7110', '1110', 4_460],
  [60, 'Wages', '7110', '1110', 4_460],
  [59, 'Insurance', '6510', '1110', 480],
  [30, 'Wages', '7110', '1110', 4_890],
  [29, 'Bank charges', '8110', '1110', 64.3],
];

/** Unposted lines of the default journal: account, description, amount. */
export const OPEN_JOURNAL_LINES: readonly (readonly [string, string, number])[] = [
  ['6220', 'Telephone and internet', 218.9],
  ['6210', 'Printer paper', 74.2],
  ['1130', 'Paid from petty cash', -293.1],
];
