/** A guest by their name, for supervisors: the first few, never the list. */
import { useState } from 'react';
import { MIN_SEARCH_CHARS, type PhoneSearchResponse } from '../../../../server/contract/tickets.ts';
import type { ScanApi } from './scan-api.ts';
import { useScanWords } from './scan-words.ts';
import { Button } from '../../../ui/Button.tsx';

type SearchProps = {
  api: ScanApi;
  onFailure: (error: unknown) => void;
  onChosen: (ticketId: string) => void;
};

export function Search({ api, onFailure, onChosen }: SearchProps) {
  const { scan, tickets } = useScanWords();
  const words = scan.search;
  const [text, setText] = useState('');
  const [found, setFound] = useState<PhoneSearchResponse | null>(null);
  const isLong = text.trim().length >= MIN_SEARCH_CHARS;
  const send = async (event: Pick<Event, 'preventDefault'>) => {
    event.preventDefault();
    if (!isLong) return;
    try {
      setFound(await api.search(text.trim()));
    } catch (error) {
      onFailure(error);
    }
  };
  return (
    <section aria-label={words.title}>
      <form className="field field--row" onSubmit={(event) => void send(event)}>
        <label>
          <span>{words.label}</span>
          <input
            name="guest"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <Button type="submit" look="side" disabled={!isLong}>
          {words.find}
        </Button>
      </form>
      <ul className="scan__found">
        {found?.items.map(({ ticket_id: id, name, kind, is_inside: isInside }) => (
          <li key={id}>
            <Button look="side" onClick={() => onChosen(id)}>
              <span>{name}</span>
              <small>{isInside ? tickets.party.inside : kind}</small>
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className="quiet">
        {found?.items.length === 0 && words.none}
        {found?.has_more === true && words.more}
      </p>
    </section>
  );
}
