import { useEffect, useRef, useState } from "preact/hooks";

/** Moving slots of a grid with mouse, touch (after a long press) or the arrow keys, in steps of 15 minutes. */

export interface Shift {
  minutes: number;
  days: number;
}

/** The step, in minutes. */
export const STEP = 15;

/** A press with less movement is a click, in pixels. */
const CLICK_RADIUS = 5;

/** A touch scrolls unless the finger rests this long, in milliseconds. */
const LONG_PRESS = 400;

export const NO_SHIFT: Shift = { minutes: 0, days: 0 };

interface Moving {
  key: string;
  shift: Shift;
  isByKeys: boolean;
}

interface Press {
  key: string;
  slot: HTMLElement;
  /** Where the slot may go, as distances from where it is. */
  room: Room;
  x: number;
  y: number;
  isMoving: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** How far a slot may go in each direction, in pixels. */
interface Room {
  left: number;
  right: number;
  up: number;
  down: number;
}

/** A slot stays in sight: within the lists of its grid. */
function roomOf(slot: HTMLElement): Room {
  const lists = slot.closest(GRID)?.querySelectorAll("ul") ?? [];
  const rects = [...lists].map((list) => list.getBoundingClientRect());
  const own = slot.getBoundingClientRect();
  return {
    left: Math.min(0, ...rects.map(({ left }) => left - own.left)),
    right: Math.max(0, ...rects.map(({ right }) => right - own.right)),
    up: Math.min(0, ...rects.map(({ top }) => top - own.top)),
    down: Math.max(0, ...rects.map(({ bottom }) => bottom - own.bottom)),
  };
}

/** What has the lists of slots between which one moves. */
const GRID = ".week, .clinic";

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** Whether a list of another day is there so many days later. */
function isDayThere(slot: HTMLElement, days: number): boolean {
  const lists = [...(slot.closest(GRID)?.querySelectorAll("ul") ?? [])];
  return days === 0 || lists[lists.findIndex((list) => list.contains(slot)) + days] !== undefined;
}

/** Has Escape cancel a drag for as long as there is one, wherever the focus is. */
export function useEscape(isDragging: boolean, cancel: () => void): void {
  const latest = useRef(cancel);
  latest.current = cancel;
  useEffect(() => {
    if (!isDragging) return;
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      latest.current();
    };
    addEventListener("keydown", escape, { capture: true });
    return () => removeEventListener("keydown", escape, { capture: true });
  }, [isDragging]);
}

/**
 * @param move.shiftOf the shift for a distance in pixels, measured in the slot's grid.
 * @param move.keys the shift of each arrow key.
 * @param move.onMove is called at the end of a move that changed something.
 */
export function useMoving(move: {
  shiftOf: (slot: HTMLElement, x: number, y: number) => Shift;
  keys: Partial<Record<string, Shift>>;
  onMove: ((key: string, shift: Shift) => void) | undefined;
}) {
  const { shiftOf, keys, onMove } = move;
  const [moving, setMoving] = useState<Moving>();
  const press = useRef<Press | undefined>(undefined);
  /** The click that ends a move must not open the session. */
  const isClickOfMove = useRef(false);
  useEscape(moving?.isByKeys === false, () => {
    release();
    // The pointer is still down: its click opens nothing.
    isClickOfMove.current = true;
    setMoving(undefined);
  });
  const release = (): void => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  if (onMove === undefined) return { handlersOf: () => ({}), shiftOf: () => NO_SHIFT };

  const finish = ({ key, shift }: Moving): void => {
    setMoving(undefined);
    if (shift.minutes !== 0 || shift.days !== 0) onMove(key, shift);
  };
  const begin = (own: Press): void => {
    own.isMoving = true;
    setMoving({ key: own.key, shift: NO_SHIFT, isByKeys: false });
  };
  const handlersOf = (key: string) => ({
    onPointerDown: (event: PointerEvent) => {
      isClickOfMove.current = false;
      if (event.button !== 0) return;
      const slot = event.currentTarget as HTMLElement;
      const own: Press = {
        ...{ key, slot, x: event.clientX, y: event.clientY, isMoving: false },
        room: roomOf(slot),
        timer: event.pointerType === "touch" ? setTimeout(() => begin(own), LONG_PRESS) : undefined,
      };
      press.current = own;
    },
    onPointerMove: (event: PointerEvent) => {
      const own = press.current;
      if (own === undefined || own.key !== key) return;
      const [x, y] = [event.clientX - own.x, event.clientY - own.y];
      if (!own.isMoving && Math.hypot(x, y) > CLICK_RADIUS) {
        if (own.timer !== undefined) return release();
        own.slot.setPointerCapture(event.pointerId);
        begin(own);
      }
      if (!own.isMoving) return;
      const { left, right, up, down } = own.room;
      const shift = shiftOf(own.slot, within(x, left, right), within(y, up, down));
      setMoving({ key, shift, isByKeys: false });
    },
    onPointerUp: () => {
      const isMoving = press.current?.isMoving === true;
      release();
      isClickOfMove.current ||= isMoving;
      if (isMoving && moving !== undefined) finish(moving);
    },
    onPointerCancel: () => {
      release();
      setMoving(undefined);
    },
    // A finger that moves a slot must not scroll.
    onTouchMove: (event: TouchEvent) => {
      if (press.current?.isMoving === true) event.preventDefault();
    },
    onClickCapture: (event: MouseEvent) => {
      if (isClickOfMove.current) event.stopPropagation();
      isClickOfMove.current = false;
    },
    onKeyDown: (event: KeyboardEvent) => {
      // With them, arrows are the browser's: Alt and the left one go back.
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const step = keys[event.key];
      const current = moving?.key === key ? moving.shift : NO_SHIFT;
      if (step !== undefined) {
        const days = current.days + step.days;
        const minutes = current.minutes + step.minutes;
        const isThere = isDayThere(event.currentTarget as HTMLElement, days);
        if (isThere) setMoving({ key, shift: { minutes, days }, isByKeys: true });
      } else if (moving === undefined) return;
      else if (event.key === "Enter") finish(moving);
      else if (event.key === "Escape") setMoving(undefined);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onFocusOut: () => {
      if (moving?.isByKeys === true) setMoving(undefined);
    },
  });
  return {
    handlersOf,
    /** How far a slot is moved at the moment. */
    shiftOf: (key: string): Shift => (moving?.key === key ? moving.shift : NO_SHIFT),
  };
}
