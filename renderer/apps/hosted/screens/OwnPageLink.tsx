/** Leads to the person's own data: in a tab of its own as long as this one still holds a run. */
import { OWN_PAGE } from '../../../flow/link.ts';
import { useWords } from '../messages-context.ts';

export type OwnPageLinkProps = {
  /** The run is over and this page leads nowhere else: the link opens in its place. */
  staysHere?: boolean;
  onOpen?: () => void;
};

export function OwnPageLink({ staysHere = false, onOpen }: OwnPageLinkProps) {
  const { messages } = useWords();
  return (
    <p className="own-page">
      <a href={OWN_PAGE} {...(staysHere ? {} : { target: '_blank', rel: 'noopener' })} onClick={onOpen}>
        {messages.ownData}
        {!staysHere && <span className="visually-hidden"> ({messages.opensNewTab})</span>}
      </a>
    </p>
  );
}
