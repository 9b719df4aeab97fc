import { useMemo } from 'react';
import { Link } from 'wouter';
import { addressOf, useSegments } from '../../shared/address.ts';
import { useData } from '../../shared/api/use-data.ts';
import { Explorer } from '../../shared/list/explorer.tsx';
import { FilterBar, useFilter } from '../../shared/list/filter-bar.tsx';
import { type Column, List } from '../../shared/list/list.tsx';
import { rowsOf } from '../../shared/list/rows-of.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Empty } from '../../shared/ui/notice.tsx';
import { type LanguageLists, readLanguages } from './api.ts';

interface Language {
  readonly code: string;
  readonly name: string;
  readonly nativeName: string;
  readonly isTranslated: boolean;
  /** Writing systems between which the real service transliterates. */
  readonly scripts: readonly string[];
  /** Languages to which the dictionary leads. */
  readonly dictionary: number;
}

const QUICK = [
  { id: 'transliteration', title: 'Transliteration', matches: ({ scripts }: Language) => scripts.length > 0 },
  { id: 'dictionary', title: 'Dictionary', matches: ({ dictionary }: Language) => dictionary > 0 },
] as const;

const keyOf = ({ code }: Language): string => code;

const COLUMNS: readonly Column<Language>[] = [
  { id: 'name', title: 'Language', width: 'minmax(8rem, 1fr)', cell: ({ name }) => name },
  { id: 'code', title: 'Code', width: '6rem', cell: ({ code }) => code },
  {
    id: 'native',
    title: 'Own name',
    width: 'minmax(8rem, 1fr)',
    isExtra: true,
    cell: ({ nativeName, code }) => <span lang={code}>{nativeName}</span>,
  },
  {
    id: 'translated',
    title: 'Translation',
    width: '7rem',
    isExtra: true,
    cell: ({ isTranslated }) => isTranslated && 'yes',
  },
  {
    id: 'scripts',
    title: 'Transliteration',
    width: 'minmax(7rem, 1fr)',
    isExtra: true,
    cell: ({ scripts }) => scripts.join(', '),
  },
  {
    id: 'dictionary',
    title: 'Dictionary',
    width: '6rem',
    isNumber: true,
    cell: ({ dictionary }) => dictionary || '',
  },
];

/** The languages of the real service, as its API lists them. */
export function LanguageList() {
  const [, open] = useSegments('translator');
  const { text = '', quick } = useFilter();
  const lists = useData(['translator', 'languages'], readLanguages);
  const wanted = text.toLowerCase();
  const chosen = QUICK.find(({ id }) => id === quick);
  const all = useMemo(() => lists.data && languagesOf(lists.data), [lists.data]);
  const shown = all?.filter(
    (each) =>
      `${each.name} ${each.code} ${each.nativeName}`.toLowerCase().includes(wanted) && (chosen?.matches(each) ?? true),
  );
  const list = (
    <>
      <FilterBar placeholder="Name or code" quick={QUICK} failure={lists.failure} />
      <List
        label="Languages"
        source={rowsOf({ ...lists, data: shown })}
        keyOf={keyOf}
        columns={COLUMNS}
        addressOf={({ code }) => addressOf('translator', 'languages', code)}
        open={open}
        empty={<Empty title="No language has this name" />}
      />
    </>
  );
  const opened = all?.find(({ code }) => code === open);
  return (
    <Explorer
      label="Language"
      closed={addressOf('translator', 'languages')}
      list={list}
      detail={opened && <LanguageDetail language={opened} lists={lists.data} />}
    />
  );
}

interface DetailProps {
  readonly language: Language;
  readonly lists: LanguageLists | undefined;
}

function LanguageDetail({ language: { code, name, nativeName, isTranslated }, lists }: DetailProps) {
  const scripts = lists?.transliteration?.[code]?.scripts ?? [];
  const translations = lists?.dictionary?.[code]?.translations ?? [];
  return (
    <Detail kind="Language" title={name} badges={<Badge>{code}</Badge>}>
      <Stack>
        <Facts
          facts={[
            { label: 'Own name', value: <span lang={code}>{nativeName}</span> },
            { label: 'Translation', value: isTranslated ? 'by the real service' : 'not by the real service' },
            {
              label: 'Transliteration',
              value: scripts
                .map(({ name: script, toScripts }) => `${script} to ${toScripts.map((to) => to.name).join(', ')}`)
                .join('; '),
            },
            { label: 'Dictionary', value: translations.map((to) => to.name).join(', ') },
          ]}
        />
        <Link href={`${addressOf('translator')}?language=${encodeURIComponent(code)}`}>
          Break a text into sentences by its rules
        </Link>
      </Stack>
    </Detail>
  );
}

function languagesOf({ translation = {}, transliteration = {}, dictionary = {} }: LanguageLists): readonly Language[] {
  const codes = new Set([...Object.keys(translation), ...Object.keys(transliteration), ...Object.keys(dictionary)]);
  return [...codes]
    .map((code) => {
      const { name, nativeName } = translation[code] ?? transliteration[code] ?? dictionary[code] ?? {};
      return {
        code,
        name: name ?? code,
        nativeName: nativeName ?? '',
        isTranslated: code in translation,
        scripts: (transliteration[code]?.scripts ?? []).map((script) => script.code),
        dictionary: dictionary[code]?.translations.length ?? 0,
      };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}
