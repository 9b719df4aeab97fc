import { escapeText, foldLines, type Parameter, property } from '../ical/write-lines.ts';
import { SentMembers } from './sent-members.ts';

/** Writes a contact as vCard 3.0 (RFC 2426), which every address book reads. */
export function writeContact(sent: Readonly<Record<string, unknown>>): string {
  const contact = new SentMembers(sent);
  const text = (name: string): string => escapeText(contact.text(name));
  const line = (name: string, value: string, parameters: readonly Parameter[] = []): string[] =>
    value.replace(/;/g, '') === '' ? [] : [property(name, parameters, value)];
  const phones = (numbers: readonly string[], type: string): string[] =>
    numbers.flatMap((each) => line('TEL', escapeText(each), [['TYPE', type]]));
  const names = [text('surname'), text('givenName'), text('middleName'), text('title'), text('generation')];
  const shown = text('displayName') || [text('givenName'), text('surname')].filter(Boolean).join(' ');
  return foldLines([
    'BEGIN:VCARD',
    'VERSION:3.0',
    property('N', [], names.join(';')),
    property('FN', [], shown),
    ...line('NICKNAME', text('nickName')),
    ...line('ORG', [text('companyName'), text('department')].join(';')),
    ...line('TITLE', text('jobTitle')),
    ...contact.objects('emailAddresses').flatMap((each) => line('EMAIL', escapeText(each.text('address')))),
    ...phones(contact.texts('businessPhones'), 'WORK'),
    ...phones(contact.texts('homePhones'), 'HOME'),
    ...phones([contact.text('mobilePhone'), contact.text('mobilePhone1')].filter(Boolean).slice(0, 1), 'CELL'),
    ...addressLine(contact.object('businessAddress'), 'WORK'),
    ...addressLine(contact.object('homeAddress'), 'HOME'),
    ...line('BDAY', escapeText(contact.text('birthday').slice(0, 10))),
    ...line('NOTE', text('personalNotes')),
    'END:VCARD',
  ]);
}

function addressLine(address: SentMembers, type: string): string[] {
  const parts = ['street', 'city', 'state', 'postalCode', 'countryOrRegion'].map((name) =>
    escapeText(address.text(name)),
  );
  return parts.every((part) => part === '') ? [] : [property('ADR', [['TYPE', type]], `;;${parts.join(';')}`)];
}
