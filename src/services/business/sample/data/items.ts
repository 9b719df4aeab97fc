/** Items by category: number, name, unit, price, cost. */
export type ItemRow = readonly [number: string, name: string, unit: string, price: number, cost: number];

export interface ItemGroup {
  readonly code: string;
  readonly name: string;
  readonly type?: 'Service' | 'Non-Inventory';
  readonly taxGroup?: string;
  readonly productGroup?: string;
  readonly items: readonly ItemRow[];
}

/** Colour variants of items: item, code, name. */
export const ITEM_VARIANTS: readonly (readonly [item: string, code: string, name: string])[] = [
  ['1007', 'BLUE', 'Casserole, enamel, blue'],
  ['1007', 'RED', 'Casserole, enamel, red'],
  ['1026', 'BLUE', 'Mug, blue'],
  ['1026', 'GREY', 'Mug, grey'],
  ['1026', 'SAND', 'Mug, sand'],
];

export const ITEM_GROUPS: readonly ItemGroup[] = [
  {
    code: 'COOKWARE',
    name: 'Pots and pans',
    items: [
      ['1001', 'Saucepan, steel, 16 cm', 'PCS', 34.9, 17.2],
      ['1002', 'Saucepan, steel, 20 cm', 'PCS', 42.9, 21.4],
      ['1003', 'Stock pot, steel, 8 l', 'PCS', 69, 35.5],
      ['1004', 'Frying pan, cast iron, 24 cm', 'PCS', 49.5, 24],
      ['1005', 'Frying pan, cast iron, 28 cm', 'PCS', 59.5, 29.1],
      ['1006', 'Sauté pan, copper, 26 cm', 'PCS', 189, 104],
      ['1007', 'Casserole, enamel, 5 l', 'PCS', 84.9, 43.6],
      ['1008', 'Roasting tin, enamel', 'PCS', 39.9, 19.8],
      ['1009', 'Steamer insert, 20 cm', 'PCS', 22.5, 10.9],
      ['1010', 'Lid, glass, 24 cm', 'PCS', 14.9, 6.7],
    ],
  },
  {
    code: 'KNIVES',
    name: 'Knives and boards',
    items: [
      ['1011', "Chef's knife, 20 cm", 'PCS', 79, 38.5],
      ['1012', 'Bread knife, 24 cm', 'PCS', 59, 28.2],
      ['1013', 'Paring knife, 9 cm', 'PCS', 24.9, 11.3],
      ['1014', 'Carving set', 'SET', 119, 61],
      ['1015', 'Steak knives, six', 'SET', 89, 44.2],
      ['1016', 'Sharpening steel', 'PCS', 32, 14.8],
      ['1017', 'Chopping board, beech', 'PCS', 27.5, 12.4],
      ['1018', 'Chopping board, oak, large', 'PCS', 46, 22],
      ['1019', 'Knife block, empty', 'PCS', 39, 18.6],
    ],
  },
  {
    code: 'TABLE',
    name: 'Tableware',
    items: [
      ['1020', 'Dinner plate, white, six', 'SET', 54, 25.8],
      ['1021', 'Soup plate, white, six', 'SET', 51, 24.6],
      ['1022', 'Dessert plate, white, six', 'SET', 42, 19.9],
      ['1023', 'Bowl, stoneware', 'PCS', 11.9, 5.1],
      ['1024', 'Serving platter, oval', 'PCS', 28.5, 13],
      ['1025', 'Coffee cup with saucer', 'PCS', 12.5, 5.6],
      ['1026', 'Mug, stoneware', 'PCS', 9.9, 4.1],
      ['1027', 'Teapot, porcelain, 1.2 l', 'PCS', 44, 20.7],
      ['1028', 'Cutlery, 24 pieces', 'SET', 129, 63],
      ['1029', 'Serving spoon', 'PCS', 13.9, 5.9],
    ],
  },
  {
    code: 'GLASS',
    name: 'Glassware',
    items: [
      ['1030', 'Water glass, six', 'SET', 24, 10.4],
      ['1031', 'Red wine glass, six', 'SET', 48, 22.3],
      ['1032', 'White wine glass, six', 'SET', 45, 20.9],
      ['1033', 'Champagne flute, six', 'SET', 46.5, 21.5],
      ['1034', 'Beer glass, 0.5 l, six', 'SET', 29.9, 13.2],
      ['1035', 'Carafe, 1 l', 'PCS', 21.5, 9.4],
      ['1036', 'Preserving jar, 0.75 l, twelve', 'BOX', 31, 14.1],
    ],
  },
  {
    code: 'COFFEE',
    name: 'Coffee and tea',
    items: [
      ['1037', 'Espresso machine, one group', 'PCS', 2490, 1540],
      ['1038', 'Espresso machine, two groups', 'PCS', 4290, 2710],
      ['1039', 'Coffee grinder', 'PCS', 389, 214],
      ['1040', 'Filter machine, 1.8 l', 'PCS', 219, 118],
      ['1041', 'Tamper, 58 mm', 'PCS', 34.5, 14.9],
      ['1042', 'Milk jug, 0.6 l', 'PCS', 19.9, 8.3],
      ['1043', 'Kettle, 1.7 l', 'PCS', 64.9, 32.7],
    ],
  },
  {
    code: 'PANTRY',
    name: 'Coffee beans and tea',
    taxGroup: 'REDUCED',
    items: [
      ['1044', 'Espresso beans, house blend', 'KG', 21.9, 11.6],
      ['1045', 'Filter coffee beans, Ethiopia', 'KG', 26.5, 14.3],
      ['1046', 'Black tea, loose', 'CAN', 12.9, 5.4],
      ['1047', 'Herbal tea, mountain blend', 'CAN', 11.9, 4.8],
    ],
  },
  {
    code: 'TEXTILES',
    name: 'Kitchen textiles',
    items: [
      ['1048', 'Dish towel, linen, three', 'PACK', 26, 11.7],
      ['1049', 'Apron, linen', 'PCS', 34, 15.9],
      ['1050', 'Oven mitts', 'PAIR', 18.5, 7.6],
      ['1051', 'Tablecloth, 140 x 220 cm', 'PCS', 69, 33],
      ['1052', 'Napkins, linen, six', 'PACK', 36, 16.2],
    ],
  },
  {
    code: 'SETS',
    name: 'Sets put together here',
    productGroup: 'MAKE',
    items: [
      ['1053', 'Starter kitchen, 12 pieces', 'SET', 249, 128],
      ['1054', 'Breakfast for two', 'SET', 79, 37],
      ['1055', 'Barista starter set', 'SET', 489, 266],
    ],
  },
  {
    code: 'SERVICES',
    name: 'Services',
    type: 'Service',
    productGroup: 'SERVICES',
    items: [
      ['1056', 'Knife sharpening', 'PCS', 6.5, 2.5],
      ['1057', 'Machine installation', 'HOUR', 88, 46],
      ['1058', 'Machine maintenance', 'HOUR', 79, 42],
      ['1059', 'Kitchen planning', 'HOUR', 95, 52],
    ],
  },
  {
    code: 'SUNDRIES',
    name: 'Sundries',
    type: 'Non-Inventory',
    items: [['1060', 'Gift wrapping', 'PCS', 3.9, 1.2]],
  },
];
