/** Guests of the demo's festival. Their email domains and number ranges belong to nobody. */
import type { Metadata } from '../../domain/runs/session-request.ts';
import type { Dice } from './random.ts';

const GIVEN = `
  Amara Anton Aylin Bastian Beatriz Bilal Camille Chidi Clara Dariusz Deniz Elena Emeka Farah Finn Giulia Hana
  Hugo Ines Jamal Jana Jonas Kaito Katarzyna Lamine Leila Lucía Mads Mei Milan Nadia Noor Olga Omar Paola Priya
  Quentin Rania Rosa Samuel Siobhán Sofia Tariq Teresa Thanh Ulrike Viktor Yara Zainab Zoë`
  .trim()
  .split(/\s+/);
const FAMILY = `
  Abadi Adeyemi Almeida Andersen Baptiste Becker Bianchi Brennan Castillo Chen Cohen Costa Dąbrowski Diallo
  Dubois Eriksen Fernández Fischer Fontaine García Haddad Hansen Hoffmann Ibrahim Ivanova Jansen Kaya Keller Kim
  Kowalska Lambert Larsen Marino Mensah Meyer Moreau Nguyen Novák Okafor Oliveira Papadopoulos Patel Rossi
  Santos Schmidt Singh Tanaka Weber Yilmaz Zimmermann`
  .trim()
  .split(/\s+/);
const TICKETS = [
  ['Weekend', 50],
  ['Friday', 18],
  ['Saturday', 22],
  ['Crew', 6],
  ['Press', 4],
] as const;
const SECTIONS = ['North stand', 'South stand', 'Terrace', 'Floor', 'Balcony'];
const DOMAINS = ['example.com', 'example.org', 'example.net'];
/** US numbers of these areas, 555-0100 to 555-0199, are never assigned. */
const FIRST_AREA = 201;
const NUMBERS_OF_AREA = 100;

export type Guest = {
  externalId: string;
  contact: { email: string; phone: string };
  metadata: Metadata;
};

/** The `n`th guest, with a unique address, number and account. */
export function guest(n: number, dice: Dice): Guest {
  const given = dice.pick(GIVEN);
  const family = dice.pick(FAMILY);
  const ticket = dice.weighted(TICKETS);
  const area = FIRST_AREA + Math.floor(n / NUMBERS_OF_AREA);
  const last = String(n % NUMBERS_OF_AREA).padStart(2, '0');
  return {
    externalId: `ticket-${String(40_000 + n)}`,
    contact: {
      email: `${plain(given)}.${plain(family)}.${n}@${dice.pick(DOMAINS)}`,
      phone: `+1${area}55501${last}`,
    },
    metadata: {
      name: `${given} ${family}`,
      ticket,
      section: dice.pick(SECTIONS),
      ...(dice.chance(0.1) && { guest_list: true }),
      ...(dice.chance(0.03) && { note: 'Left-handed <b>wristband</b> & wheelchair space' }),
    },
  };
}

/** Without accents, as in email addresses. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
