/** The current name of an actor of the audit log: an operator's, a kiosk's, a phone's of the door team, or a key's prefix and last four characters. */

/** Of `actorJoins`; null for actors without a name, such as the command line. */
export const ACTOR_NAME = 'COALESCE(o.name, an.name, ak.display, kk.name, ph.name)';

/** @param actor its column */
export const actorJoins = (actor: 'a.actor' | 'e.actor'): string =>
  `LEFT JOIN operators o ON ${actor} = 'operator:' || o.id
   LEFT JOIN keys ak ON ${actor} LIKE 'key:%' AND ak.id = substr(${actor}, 5)
   LEFT JOIN key_names an ON an.lineage_id = ak.lineage_id
   LEFT JOIN kiosks kk ON ${actor} LIKE 'kiosk:%' AND kk.id = substr(${actor}, 7)
   LEFT JOIN shift_phones ph ON ${actor} LIKE 'phone:%' AND ph.id = substr(${actor}, 7)`;
