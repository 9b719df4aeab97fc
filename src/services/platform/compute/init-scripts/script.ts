const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

export const isBase64 = (text: string): boolean => BASE64.test(text);

export const scriptBytes = (base64: string): number => Buffer.byteLength(base64, 'base64');

export const scriptText = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
