/** A call is under way: what happens, in words, with a quiet sign that it still does. */
export function Waiting({ title, text }: { title: string; text?: string | undefined }) {
  return (
    <section className="screen screen--waiting" role="status">
      <div className="screen__body">
        <span className="spinner" aria-hidden="true" />
        <h1>{title}</h1>
        {text && <p className="lead">{text}</p>}
      </div>
    </section>
  );
}
