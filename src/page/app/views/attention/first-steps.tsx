import { type Beginning, isEmpty, isUnderWay, sheetsOf } from "../../lib/attention/beginning.ts";
import { countText, unitsText, words } from "../../lib/base/format.ts";
import { me } from "../../lib/base/me.ts";
import { addressOf } from "../../lib/base/place.ts";

/** What to do next in a practice that begins: whole while it is empty, then a line until people work with it. */

export function FirstSteps({ beginning }: { beginning: Beginning }) {
  if (isUnderWay(beginning)) return null;
  const { locations, signedIn } = beginning;
  const { weekStartsOn } = me().organization;
  const practice = `${countText(locations, "location")}, weeks begin on ${words(weekStartsOn)}`;
  const people =
    signedIn === 0
      ? "nobody has a passkey yet"
      : signedIn === 1
        ? "1 person signs in"
        : `${signedIn} people sign in`;
  const sheets = sheetsOf(beginning);
  if (isEmpty(beginning))
    return (
      <section class="panel" aria-label="First steps">
        <h2>What to do next</h2>
        <ol class="first-steps">
          <li>
            <a href={addressOf(["practice"])}>Practice</a>: {practice}
          </li>
          <li>
            <a href={addressOf(["import"])}>Import</a>: your own sheets, in any order and with your
            own headings
            <ol>
              {sheets.map(({ name, count }) => (
                <li key={name}>
                  {name}: {count === 0 ? "none yet" : unitsText(count)}
                </li>
              ))}
            </ol>
          </li>
          <li>
            <a href={addressOf(["access"])}>Access</a>: {people}
          </li>
        </ol>
      </section>
    );
  return <NextLine beginning={beginning} />;
}

/** Which sheets are missing, and who is not invited. */
export function NextLine({ beginning }: { beginning: Beginning }) {
  const missing = sheetsOf(beginning).filter(({ count }) => count === 0);
  return (
    <p class="hint" aria-label="First steps">
      Next:{" "}
      {missing.length > 0 && (
        <>
          <a href={addressOf(["import"])}>Import</a> {missing.map(({ name }) => name).join(", ")}
          ;{" "}
        </>
      )}
      <a href={addressOf(["access"])}>Access</a>: let people in
    </p>
  );
}
