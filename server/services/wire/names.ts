/** Names of operators, companies, events and kiosks (decisions §3.18): readable, and not like another one. */
import { hasUnseen, lookAlikeOf, tidyName } from '../../domain/names.ts';
import { Refusal } from '../../refusals/refusal.ts';

/** @throws Refusal `name_unseen` */
export function readName(given: string): string {
  const name = tidyName(given);
  if (hasUnseen(name)) throw new Refusal('name_unseen');
  return name;
}

/**
 * A name that is the same as another one stays possible where it was: an event may return each year.
 * @throws Refusal `name_looks_alike`
 */
export function refuseLookAlike(name: string, others: readonly string[]): void {
  const other = lookAlikeOf(name, others);
  if (other !== undefined) throw new Refusal('name_looks_alike', { args: { name: other } });
}
