"""Heads of modules: plain, almost plain, or only similar to plain ones."""

HEADS = (
    *(
        ".version 9.4\n.target sm_90\n.address_size 64\n",
        ".version 9.4\n.target sm_90a\n",
        ".version 3.2\n.target sm_30\n",
    ),
    *(
        "\n// c\n\t.version\t7.0 // c\n\n// c\r\n.target  sm_80\r\n.address_size 64 // c\n//\n\n",
        ".version 9.4\n.target sm_90",
    ),
    *(
        f".version {version}\n.target sm_90\n.address_size 64\n"
        for version in ("7.7", "7.8", "9.9", "6.6", "9", "09.4", "9.40")
    ),
    *(
        f".version 8.0\n.target {target}\n.address_size 64\n"
        for target in ("sm_90f", "sm_99", "sm_103", "sm_90x", "sm_090")
    ),
    *(
        f".version 9.4\n.target sm_90{option}\n.address_size 64\n"
        for option in (", debug", ",texmode_unified", ", x", ",", " ,\n")
    ),
    *(
        f".version 9.4\n.target sm_90{option}\n"
        for option in (", texmode_independent", ", debug, debug", ", map_f64_to_f32")
    ),
    *(
        f".version {old}{option}\n"
        for old in ("3.1\n.target sm_30", "2.3\n.target sm_13", "1.4\n.target sm_10", "1.5\n.target sm_12")
        for option in ("", ", texmode_independent", ", debug", ",map_f64_to_f32", "\n.address_size 64")
    ),
    *(
        f".version 9.4\n.target sm_90\n.address_size {size}\n"
        for size in ("32", "16", "0x40", "64\n+ 1", "64 + 1", "64;", "640", "64\n,")
    ),
    *(
        f".version 9.4\n.target sm_90\n.address_size 64\n{next_}"
        for next_ in (".x", ".b32", ".target sm_80\n", ".version 1.0\n")
    ),
    *(
        ".version 9.4\n.target sm_90\n.address_size 64\n.address_size 64\n",
        ".version 9.4\n.target sm_90\n.target sm_80\n",
    ),
    *(
        ".version 9.4 .target sm_90 .address_size 64 ",
        ".version\n9.4\n.target sm_90\n",
        ".target sm_90\n.version 9.4\n",
    ),
    *(
        ".version 9.4\n.target\nsm_90\n",
        ".version 9.4;\n.target sm_90\n",
        ".version 9.4\n.target compute_90\n",
        ".version 9.4\n",
    ),
    *(
        "/* */ .version 9.4\n.target sm_90\n",
        ".version 9.4\n/* */.target sm_90\n",
        ".version 9.4\r.target sm_90\r",
        "}\n.version 9.4\n.target sm_90\n",
    ),
    *(
        ".version 9.4\n.target sm_90\n.address_size\n64\n",
        ".address_size 64\n.version 9.4\n.target sm_90\n",
        ".version 9.4\n.target sm_90\n.version 9.4\n",
    ),
)
