/**
 * What somebody sees of a part of the page, as text: a line for each heading, paragraph, row and control. Links say where
 * they lead, fields what they hold, bars and slots how they are drawn.
 */
export function outlineOf(root: Element): string {
  return textOf(root, [])
    .join("")
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

const BLOCKS = /^(DIV|P|UL|OL|LI|SECTION|ARTICLE|HEADER|NAV|FORM|DIALOG|TABLE|THEAD|TBODY|TFOOT)$/;
const MORE_BLOCKS = /^(TR|CAPTION|H[1-6]|DL|DT|FIELDSET|LEGEND|DETAILS|LABEL|ASIDE|MAIN|FIGURE)$/;

function textOf(node: Node, into: string[]): string[] {
  if (node.nodeType === Node.TEXT_NODE) into.push(node.textContent ?? "");
  if (!(node instanceof Element)) return into;
  const { tagName } = node;
  if (tagName === "DATALIST" || (tagName === "LABEL" && node.hasAttribute("for"))) return into;
  if (node.hasAttribute("hidden")) return into;
  const isBlock = BLOCKS.test(tagName) || MORE_BLOCKS.test(tagName);
  if (isBlock) into.push("\n");
  const [before, after] = around(node);
  into.push(before, drawn(node));
  if (tagName !== "SELECT" && tagName !== "TEXTAREA")
    for (const child of node.childNodes) textOf(child, into);
  into.push(after);
  if (tagName === "TD" || tagName === "TH") into.push(" | ");
  if (isBlock) into.push("\n");
  return into;
}

function around(node: Element): [string, string] {
  const attribute = (name: string): string => node.getAttribute(name) ?? "";
  switch (node.tagName) {
    case "H1":
    case "H2":
    case "H3":
      return ["# ", ""];
    case "A":
      return [" [", `](${attribute("href")}) `];
    case "BUTTON":
      return [" (", `${statesOf(node, ["disabled", "aria-pressed", "aria-expanded"])}) `];
    case "SUMMARY":
      return [" (", `${node.parentElement?.hasAttribute("open") ? " open" : " closed"}) `];
    case "DD":
      return [": ", ""];
    case "INPUT":
    case "SELECT":
    case "TEXTAREA":
      return [fieldText(node as HTMLInputElement), ""];
    default:
      return ["", ""];
  }
}

/** How many choices are named. */
const MOST = 8;

/** `Payor = All (of All, Acme)` */
function fieldText(field: HTMLInputElement): string {
  if (field.type === "checkbox") return field.checked ? "☑ " : "☐ ";
  const label = document.querySelector(`label[for="${field.id}"]`)?.textContent ?? "";
  const options = [...field.querySelectorAll("option")];
  const value = options.find((option) => option.value === field.value)?.textContent ?? field.value;
  const names = options.map((option) => option.textContent);
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : "";
  const others = names.length > 0 ? ` (of ${names.slice(0, MOST).join(", ")}${more})` : "";
  const kind = field.tagName === "INPUT" && field.type !== "text" ? ` ${field.type}` : "";
  return `\n${label} = ${value}${others}${kind}${statesOf(field, FIELD_STATES)}\n`;
}

const FIELD_STATES = [
  ...["required", "disabled", "aria-invalid", "placeholder", "inputmode"],
  ...["maxlength", "min", "max", "multiple", "accept"],
];

/** ` required disabled maxlength 10` */
function statesOf(element: Element, names: readonly string[]): string {
  return names
    .filter((name) => element.hasAttribute(name))
    .map((name) => ` ${name} ${element.getAttribute(name)}`.trimEnd())
    .join("");
}

/** What is seen besides texts: titles, names of kinds and states, and places of what is drawn. */
function drawn(node: Element): string {
  const { tagName } = node;
  const isDrawn = /^(svg|g|rect|line|path|circle|text|polyline|I)$/.test(tagName);
  const names = node.getAttributeNames().filter((name) => {
    if (name === "title" || name === "aria-label" || name === "aria-current") return true;
    if (name === "style") return true;
    if (name === "class") return isDrawn || /^(SPAN|TR|LI|BUTTON|A|FORM|DIALOG)$/.test(tagName);
    return isDrawn && !/^(id|aria|viewBox|xmlns|role|preserve)/.test(name);
  });
  if (names.length === 0) return "";
  return ` {${names.map((name) => `${name === "class" ? "" : `${name}: `}${node.getAttribute(name)}`).join("; ")}} `;
}
