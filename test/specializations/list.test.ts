import { found, pages, shown } from "../support/pages.ts";
import { transcripts } from "../support/transcript.ts";

/** GET /v1/specializations (specification, section 4.7). */

const practice = await transcripts();

// Sorted by name, in the order of code points, then by id.
const categories = [
  { publicId: "spec_9", name: "ABA", isActive: true },
  { publicId: "spec_2", name: "Feeding", isActive: false },
  { publicId: "spec_3", name: "Feeding", isActive: true },
  { publicId: "spec_1", name: "Speech", isActive: false },
  { publicId: "spec_4", name: "Ängste", isActive: true },
];

practice(categories.map((each) => ({ type: "specialization", ...each })).toReversed(), {
  elsewhere: [],
})("categories come by name and id, inactive ones included, or by isActive", [
  shown("GET specializations", categories),
  ...pages(
    "GET specializations",
    categories.map(({ publicId }) => publicId),
  ),
  found("GET specializations?isActive=true", ["spec_9", "spec_3", "spec_4"]),
  found("GET specializations?isActive=false", ["spec_2", "spec_1"]),
  found("GET specializations?isActive=true&page=2&pageSize=2", ["spec_4"], 3),
]);
