import { AddressError, parseAddress } from '@sightline/pg-client';
import { DURATION_FORMAT, parseDuration } from '@sightline/tools';
import * as z from 'zod';

/** Types of settings' texts, with messages for invalid ones. */

/** The separator between addresses. An address can itself contain commas. */
export const NEXT_ADDRESS = /\s*,\s*(?=postgres(?:ql)?:\/\/)/;

export function whole(least: number, most: number) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { message, abort: true })
    .transform(Number)
    .refine(value => value >= least && value <= most, message);
}

export function duration(least: number, most: number) {
  return z.string().transform((text, context) => {
    const value = parseDuration(text);
    if (value !== undefined && value >= least && value <= most) return value;
    context.addIssue(`must be ${DURATION_FORMAT}, from ${least} ms to ${most / 1000} s`);
    return z.NEVER;
  });
}

export function flag() {
  return z.enum(['true', 'false'], 'must be true or false').transform(text => text === 'true');
}

/** Checks only the scheme. Messages do not show the value. */
export function address(...schemes: string[]) {
  const pattern = new RegExp(`^(?:${schemes.join('|')})://\\S+$`);
  return z.string().regex(pattern, `must begin with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`);
}

export function databaseAddress() {
  return z.string().superRefine((text, context) => {
    const problem = findProblem(text);
    if (problem !== undefined) context.addIssue(problem);
  });
}

export function databaseAddresses() {
  return z.string().transform((text, context) => {
    const urls = text.split(NEXT_ADDRESS);
    const problem = urls.map(findProblem).find(one => one !== undefined);
    if (problem === undefined) return urls;
    context.addIssue(problem);
    return z.NEVER;
  });
}

function findProblem(url: string): string | undefined {
  try {
    parseAddress(url);
    return undefined;
  } catch (error) {
    if (error instanceof AddressError) return error.message;
    throw error;
  }
}

/** Returns the entries of a list that is separated by commas. */
export function listEntries(text: string): string[] {
  return text
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
}

/** A list that is separated by commas. One without entries counts as not set. */
export function list() {
  return z.string().transform(text => {
    const entries = listEntries(text);
    return entries.length > 0 ? entries : undefined;
  });
}
