import { unsupportedFormat } from './forms.ts';

/** Unsupported formats of attachments, recognized by their first bytes or their declared type. */
const BY_BEGIN: readonly [RegExp, string][] = [
  [/^\s*-----BEGIN PGP MESSAGE-----/, 'a message encrypted by PGP'],
  [/^\s*-----BEGIN (?:PKCS7|CMS)-----/, 'an S/MIME message'],
  [/^\s*=ybegin /, 'yEnc'],
  [/^\s*\(This file must be converted with BinHex/, 'BinHex'],
];
const BY_TYPE: readonly [RegExp, string][] = [
  [/^application\/(?:x-)?pkcs7-mime$/, 'an S/MIME message'],
  [/^application\/ms-tnef$/, 'a TNEF attachment of Outlook (winmail.dat)'],
  [/^application\/vnd\.ms-outlook$/, 'an Outlook message (.msg)'],
  [/^application\/pgp-encrypted$/, 'a message encrypted by PGP'],
];

const UUENCODED = /^begin(?:-base64)? [0-7]{3,4} \S/m;

/** Formats that are common in mails and never contain a report. */
const ORDINARY = /^PDF$|image$/;

/** Returns the unsupported format of a part that may contain a report; undefined for any other part. */
export function unsupportedPart(head: Buffer, mimeType: string, isText: boolean): string | undefined {
  const byContent = unsupportedFormat(head);
  if (byContent !== undefined) return ORDINARY.test(byContent) ? undefined : byContent;
  const begin = head.toString('latin1', 0, 256);
  const byBegin = BY_BEGIN.find(([pattern]) => pattern.test(begin))?.[1];
  if (byBegin !== undefined) return byBegin;
  if (isText)
    return UUENCODED.test(head.toString('latin1')) ? 'uuencode: decode it with "uudecode"' : undefined;
  return BY_TYPE.find(([pattern]) => pattern.test(mimeType))?.[1];
}
