import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useGet } from "../../lib/base/response.ts";
import { withQuery } from "../../lib/base/api.ts";
import { nameOf, useNames } from "../../lib/person/people.ts";
import type { PageOf, User } from "../../lib/base/wire.ts";
import { plain } from "../../lib/base/plain.ts";
import { describedBy, Labeled } from "./field.tsx";
import { useShown } from "../../lib/base/unread.ts";
import { useUnsaid } from "./unsaid.ts";

/** Delay between typing and searching, in milliseconds. */
const TYPING_PAUSE = 150;

/** The text, updated when typing pauses. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

const SHOWN = 8;

/** The code of a key that an input method takes. */
const COMPOSING = 229;

/** A field to find a person of a role by name, as a combobox of the ARIA Authoring Practices Guide. */
export function PersonField(properties: {
  label: string;
  role: string;
  id: string | null;
  onPick: (id: string | null) => void;
  mistake?: string | undefined;
  hint?: string | undefined;
}) {
  const { label, role, id, onPick, hint } = properties;
  const name = useNames(id === null ? [] : [id]);
  const [typed, setTyped] = useState<string>();
  // What was done before the answer to what is typed has come.
  const [waitsFor, setWaitsFor] = useState<"enter" | "leave">();
  const [active, setActive] = useState(0);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const { mistake = properties.mistake, look, follow, onInvalid } = useUnsaid();
  const search = useSettled(typed ?? "").trim();
  const isOpen = typed !== undefined && typed.trim() !== "";
  const matches = useGet<PageOf<User>>(
    isOpen && search !== "" ? withQuery("users", { search, role }) : undefined,
  );
  useShown(matches.failure);
  const people = isOpen ? (matches.value?.data ?? []) : [];
  const options = people.slice(0, SHOWN);
  const isAnswered = isOpen && search === typed.trim() && !matches.isLoading;

  const type = (text: string | undefined): void => {
    setTyped(text);
    setActive(0);
    setWaitsFor(undefined);
    const isNobody = text !== undefined && text.trim() !== "";
    input.current?.setCustomValidity(isNobody ? "Please choose somebody of the list." : "");
    if (input.current) follow(input.current);
  };
  const pick = (person: User | undefined): void => {
    type(undefined);
    onPick(person?.publicId ?? null);
  };
  const pickActive = (): void => {
    const person = options[active];
    if (!isAnswered) setWaitsFor("enter");
    else if (person !== undefined) pick(person);
  };
  /** Whose name was typed as a whole is meant. Else the text stays, and says what is to be done. */
  const pickNamed = (): void => {
    if (!isAnswered) return setWaitsFor("leave");
    setWaitsFor(undefined);
    const named = people.filter((person) => plain(nameOf(person)) === plain(typed));
    if (named.length === 1) pick(named[0]);
    else if (input.current) look({ currentTarget: input.current });
  };
  useEffect(() => {
    if (isAnswered && waitsFor === "enter") pickActive();
    else if (isAnswered && waitsFor === "leave") pickNamed();
  }, [waitsFor, isAnswered]);
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter that ends a word of an input method chooses nobody. Safari sends it behind the composition, with this code.
    if (event.isComposing || event.keyCode === COMPOSING) return;
    if (event.key === "Escape" && (isOpen || (typed !== undefined && id !== null))) type(undefined);
    else if (event.key === "Enter" && isOpen) pickActive();
    else if (event.key === "ArrowDown") setActive(Math.min(active + 1, options.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  };
  const shown = id === null ? "" : name(id);

  return (
    <Labeled
      id={`${listId}-input`}
      label={label}
      class="person-field"
      mistake={mistake}
      hint={hint}
    >
      <input
        id={`${listId}-input`}
        ref={input}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={options[active] && `${listId}-${active}`}
        aria-invalid={mistake === undefined ? undefined : true}
        aria-describedby={describedBy(`${listId}-input`, { mistake, hint })}
        autocomplete="off"
        spellcheck={false}
        placeholder="Type a name"
        value={typed ?? shown}
        onInput={(event) => type(event.currentTarget.value)}
        onInvalid={onInvalid}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (isOpen) pickNamed();
          else if (typed !== undefined) pick(undefined);
        }}
      />
      <ul
        id={listId}
        role="listbox"
        aria-label={label}
        hidden={!isOpen}
        // The field keeps its focus, else the list would close under the pointer.
        onMouseDown={(event) => event.preventDefault()}
      >
        {options.map((person, index) => (
          <li
            key={person.publicId}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            // Not where a finger begins, which may scroll.
            onClick={() => pick(person)}
          >
            {nameOf(person)}
            {!person.isActive && <small> inactive</small>}
          </li>
        ))}
        {isOpen && options.length === 0 && (
          <li role="option" aria-disabled="true" aria-selected="false">
            {matches.failure?.message ??
              (matches.isLoading || search === "" ? "Searching…" : "No people found.")}
          </li>
        )}
      </ul>
    </Labeled>
  );
}
