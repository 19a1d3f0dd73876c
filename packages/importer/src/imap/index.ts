export { type MailboxAddress, parseMailboxAddress } from './address.ts';
export type { CredentialSource } from './credentials.ts';
export { MailboxFailed } from './failure.ts';
export { type ConnectionSettings, Mailbox, type WaitingMail } from './mailbox.ts';
